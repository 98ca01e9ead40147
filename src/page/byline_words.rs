//! The words of bylines in one place: `blocks` chooses by them the lines that are kept of a page, `metadata` reads names in
//! those lines. A line that begins otherwise is not seen by `metadata` unless it has a number or is the title.

/// Longest line that is read as a byline, in characters.
pub(super) const MAX_BYLINE: usize = 120;

/// Words at the start of a line that announce an author, in lower case.
pub(super) const ANNOUNCE: [&str; 44] = [
    "by ",
    "by: ",
    "von ",
    "von: ",
    "par ",
    "par: ",
    "por ",
    "por: ",
    "di ",
    "a cura di ",
    "door ",
    "door: ",
    "od ",
    "av ",
    "af ",
    "autor ",
    "autor: ",
    "autor:in: ",
    "autorin: ",
    "autor/in: ",
    "autoren: ",
    "author: ",
    "authors: ",
    "auteur : ",
    "auteur: ",
    "autore: ",
    "auteurs : ",
    "автор: ",
    "автор ",
    "автори: ",
    "авторы: ",
    "written by ",
    "posted by ",
    "published by ",
    "geschrieben von ",
    "verfasst von ",
    "text: ",
    "text von ",
    "redakteur: ",
    "written by: ",
    "writer: ",
    "yazar: ",
    "ein beitrag von ",
    "erstellt von ",
];

/// Beginnings of lines in which an author may stand further on (`Verfasst am Montag von Jane Doe`), in lower case.
pub(super) const BEGINNINGS: [&str; 13] = [
    "autor",
    "author",
    "auteur",
    "автор",
    "written",
    "posted",
    "text",
    "foto",
    "geschrieben",
    "verfasst",
    "redak",
    "publi",
    "yazar",
];

/// Labels of authors in Chinese and Japanese, which stand anywhere in a line.
pub(super) const CJK_LABELS: [&str; 9] =
    ["作者：", "作者:", "撰文：", "記者：", "记者：", "執筆者：", "執筆：", "著者：", "ライター："];

/// What stands behind the name of a Korean reporter at the end of a line.
pub(super) const REPORTER: &str = " 기자";

/// Words that announce an author inside a line with a date.
pub(super) const INSIDE: [&str; 8] = [" by ", " von ", " par ", " por ", " door ", " von: ", " by: ", " автор: "];

/// Words for submitting a text to a site.
pub(super) const SUBMITTED: [&str; 6] =
    ["gespeichert", "geschrieben", "eingestellt", "submitted", "verfasst", "started"];

/// Words that precede a name, in lower case.
pub(super) const LEADS: [&str; 32] = [
    "post by ",
    "vom ",
    "written by ",
    "posted by ",
    "published by ",
    "submitted by ",
    "by: ",
    "by ",
    "von: ",
    "von ",
    "from ",
    "par ",
    "por ",
    "autor: ",
    "autor:in: ",
    "author: ",
    "text: ",
    // What Blogger and its like write before the name, in the languages of their users.
    "eingestellt von ",
    "gepostet von ",
    "veröffentlicht von ",
    "zum profil von ",
    "publicado por ",
    "postado por ",
    "publié par ",
    "pubblicato da ",
    "postato da ",
    "gepost door ",
    "geplaatst door ",
    "upplagd av ",
    "inlagd av ",
    "lagt inn av ",
    "indsendt af ",
];

/// Beginnings of the part of an address that names an author.
pub(super) const AUTHOR_PATHS: [&str; 3] = ["/author", "/autor", "/auteur"];

/// What stands before the names of those who made the site, in lower case.
pub(super) const MAKERS: [&str; 3] = ["developed by ", "designed by ", "powered by "];

/// Beginnings of labels that announce an author.
pub(super) const AUTHOR_LABELS: [&str; 14] = [
    "written by",
    "author",
    "autor",
    "auteur",
    "verfasst von",
    "geschrieben von",
    "escrito por",
    "écrit par",
    "rédigé par",
    "scritto da",
    "geschreven door",
    "napsal",
    "napisane przez",
    "автор",
];

/// Parts of the names of offices and professions.
pub(super) const ROLES: [&str; 32] = [
    "expert",
    "editor",
    "writer",
    "founder",
    "educator",
    "reporter",
    "journalis",
    "redakt",
    "contribut",
    "director",
    "manager",
    "professor",
    "specialist",
    "correspondent",
    "author",
    "autor",
    "consultant",
    "analyst",
    "posts",
    "president",
    "officer",
    "chef",
    "sleiter",
    "leiterin",
    "grader",
    "critic",
    "engineer",
    "columnist",
    "producer",
    "architect",
    "developer",
    "scientist",
];

/// Whole words of their names, which are parts of names of persons too (`Stafford`, `Maceo`).
pub(super) const ROLE_WORDS: [&str; 3] = ["staff", "ceo", "leiter"];

/// Words with which buttons and headings beside authors begin.
pub(super) const BUTTONS: [&str; 14] = [
    "more", "about", "view", "read", "see", "meet", "follow", "learn", "all", "mehr", "alle", "weitere", "send",
    "contact",
];

/// Words on buttons and headings beside authors.
pub(super) const NO_NAMES: [&str; 31] = [
    "posts",
    "read",
    "updated",
    "redakteur",
    "author",
    "authors",
    "autor",
    "autoren",
    "about the author",
    "about",
    "über den autor",
    "share",
    "follow",
    "by",
    "von",
    "read more",
    "more",
    "mehr",
    "profile",
    "profil",
    "website",
    "all posts",
    "view all posts",
    "contributor",
    "written",
    "posted",
    "kommentare",
    "comments",
    "email",
    "e-mail",
    "twitter",
];
