//! Words that stand before or behind telephone numbers, and those that tell other numbers from them.

use std::sync::LazyLock;

use fxhash::FxHashSet;

/// Words that announce a number, in lower case.
pub static WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    "
    tel telnr mob mobile phone phones telephone telephones cell cellphone gsm fax telefax whatsapp hotline helpline voice
    contact contacts tollfree landline
    telefon telefonnummer telefonnummern telefonnr telefonisch fon rufnummer rufnummern servicetelefon servicenummer
    servicehotline bürgertelefon kundentelefon telefonzentrale durchwahl festnetz mobil mobilnummer mobilnr mobiltelefon
    mobilfunk handy handynummer faxnummer faxnr kontakt
    telefoon telefoonnummer telefoonnr telefoonnummers telefonisch mobiel
    telefonnumre telefonnumer tlf tlfnr telefonen telefonväxel växel växeln tfn mobilen kundtjänst sími símanúmer
    puh puhelin puhelinnumero puhelinnumerot puhelimitse puhelimella matkapuhelin kännykkä vaihde faksi faksinumero
    tél téléphone téléphones portable télécopie télécopieur
    telefono telefoni telefonico cellulare cell centralino recapito contatto contatti
    teléf teléfono teléfonos telf tfno tlfno telef cel celular celulares móvil móviles fono contacto contactos
    telèfon telèfons mòbil telefonoa
    telefone telefones fone telemóvel telemóveis contato contatos
    telefoane telefonul telefoanele mobilul
    telefonu telefony telefonní telefonním telefonicky mobilní mobilu infolinka ústředna
    telefón telefóny telefónne telefónu telefónnom ústredňa
    telefoniczny telefonicznie komórka komórkowy komórkowego infolinia infolinii faks
    telefoni telefona telefonom telefonska mobitel mobilni
    telefonszám telefonszáma telefonszámon telefonszámunk telefonon mobilszám mobiltelefonszám
    telefonlar telefonları telefonumuz telefonunuz telefonas telefonai faksas
    tālr tālrunis tālruni tālruņa tālruņi telefons mobiil telefoninumber
    telepon telpon telp tlp ponsel faksimile sđt đt đtdđ
    τηλ τηλέφωνο τηλεφωνο τηλέφωνα τηλεφωνα τηλεφώνου κινητό κινητο κιν φαξ
    тел телефон телефону телефона телефоны телефони телефонов телефонам моб мобильный мобільний мобилен мобилни факс
    контакт контакты контакти контактный контактний
    טל טלפון נייד פקס
    "
    .split_whitespace()
    .collect()
});

/// Words that announce only the number right behind them, or behind words such as `us at` and `le`.
pub static CALLS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    "
    call dial sms ph wa hp
    ruf rufen wählen bel bellen ringe ringa soita soittakaa
    appelez appeler llame llamar llámame llámenos llámanos ligue ligar chiama chiamaci chiamami chiamate chiamateci
    chiamare telefonare
    volejte zavolejte zavolej volajte zavolajte linka dzwoń zadzwoń dzwońcie zadzwońcie dzwonić hívja hívjon hívható
    sunați sunaţi sunati apelați apelaţi
    nazovite pozovite pokličite arayın arayınız zvaniet skambinkite helistage hubungi gọi
    звоните позвоните дзвоніть телефонуйте обадете позовите назовите καλέστε
    "
    .split_whitespace()
    .collect()
});

/// Words that may stand between a call and its number.
pub static FILLERS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    "
    us me at on now today the number no nr le la au nous al el número numero numéro para o a na číslo číslu čísle numer
    pod uns unter ons op nummer på numeroon numeroa номер номеру номером по на за la pe
    sie mich bitte nám nás mi ci allo moi meille oss meg nas nos нам нас
    "
    .split_whitespace()
    .collect()
});

/// Words that announce another kind of number.
pub static OTHERS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    "
    isbn issn ean gtin upc doi imei ičo ič ico dič nip regon krs pesel nif cif cnpj cpf siret siren kvk btw vat iban blz
    kto konto инн кпп огрн окпо
    "
    .split_whitespace()
    .collect()
});

/// Parts of a text that announce a number: words of scripts that part no words, or put articles and particles to them,
/// several words, and signs.
pub const PARTS: [&str; 56] = [
    "电话",
    "電話",
    "手机",
    "手機",
    "传真",
    "傳真",
    "热线",
    "熱線",
    "ファクス",
    "ファックス",
    "携帯",
    "フリーダイヤル",
    "전화",
    "휴대폰",
    "핸드폰",
    "연락처",
    "팩스",
    "โทร",
    "มือถือ",
    "แฟกซ์",
    "هاتف",
    "جوال",
    "موبايل",
    "تليفون",
    "تلفون",
    "فاكس",
    "تلفن",
    "موبایل",
    "فکس",
    "نمابر",
    "טלפון",
    "נייד",
    "फोन",
    "फ़ोन",
    "मोबाइल",
    "दूरभाष",
    "फैक्स",
    "điện thoại",
    "di động",
    "ring oss",
    "ruf an",
    "rufen sie an",
    "rufen sie uns an",
    "dzwoń do nas",
    "toll free",
    "toll-free",
    "numéro vert",
    "numero verde",
    "ｔｅｌ",
    "ｆａｘ",
    "☎",
    "☏",
    "✆",
    "📞",
    "📱",
    "📠",
];

/// Parts of a text that announce only the number right behind them: words in them are names as well.
pub const NEAR_PARTS: [&str; 4] = ["appelle au", "appelle le", "llama al", "llama a"];

/// Words behind a number that is an hour.
pub const HOURS: [&str; 19] = [
    "uhr",
    "h",
    "hod",
    "hodin",
    "heures",
    "horas",
    "ore",
    "uur",
    "óra",
    "часов",
    "година",
    "am",
    "pm",
    "hours",
    "hour",
    "stunden",
    "uren",
    "godzin",
    "часа",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_announces_a_number_is_no_row_of_numbers() {
        for word in WORDS.iter().chain(CALLS.iter()).chain(OTHERS.iter()).chain(&PARTS) {
            assert!(word.chars().any(|c| c.is_ascii_alphabetic() || !c.is_ascii()), "{word}");
        }
    }
}
