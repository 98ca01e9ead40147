//! IP addresses, and numbers that look like them.

use super::*;

#[test]
fn global_addresses_are_those_of_the_registries() {
    for (address, is_global) in [
        ("0.1.2.3", false),
        ("10.0.0.1", false),
        ("100.64.0.1", false),
        ("100.128.0.1", true),
        ("172.15.0.1", true),
        ("172.31.0.1", false),
        ("192.0.0.8", false),
        ("192.0.0.9", true),
        ("192.88.99.1", true),
        ("198.19.0.1", false),
        ("224.0.0.1", true),
        ("255.255.255.255", false),
        ("08.8.8.8", false),
        ("2001:db8::1", false),
        ("2001:4860::1", true),
        ("2002:808:808::1", false),
        ("fe80::1", false),
        ("::ffff:8.8.8.8", false),
    ] {
        assert_eq!(!found(&format!("at {address} now")).is_empty(), is_global, "{address}");
    }
}

#[test]
fn addresses_stand_beside_labels_slashes_and_each_other() {
    for (text, addresses) in [
        ("IP:93.184.216.34", &["93.184.216.34"][..]),
        ("a:93.184.216.34.", &["93.184.216.34"]),
        ("IPv4:93.184.216.34", &["93.184.216.34"]),
        ("http://93.184.216.34/", &["93.184.216.34"]),
        ("http://93.184.216.34:8080/", &["93.184.216.34"]),
        ("see http://8.8.8.8/path", &["8.8.8.8"]),
        ("x/8.8.8.8", &["8.8.8.8"]),
        ("8.8.8.8.Das", &["8.8.8.8"]),
        ("93.184.216.34,151.101.1.69,8.8.8.8", &["93.184.216.34", "151.101.1.69", "8.8.8.8"]),
        ("93.184.216.34-93.184.216.40", &["93.184.216.34", "93.184.216.40"]),
        ("8.8.8.8/24", &["8.8.8.8"]),
        ("IPv6:2a00:1450:4001:82a::200e", &["2a00:1450:4001:82a::200e"]),
        ("addr:2001:4860:4860::8888", &["2001:4860:4860::8888"]),
        ("a:2a00:1450:4001:82a:1:2:3:200e", &["2a00:1450:4001:82a:1:2:3:200e"]),
        ("add:2001:4860:4860::8888", &["2001:4860:4860::8888"]),
        ("surface:2001:4860:4860::8888", &["2001:4860:4860::8888"]),
        ("Server 93.184.216.34 is down", &["93.184.216.34"]),
        ("IP 1.2.3.4 is blocked", &["1.2.3.4"]),
        ("Ping 93.184.216.34, then wait.", &["93.184.216.34"]),
        ("Google 8.8.8.8 and 8.8.4.4 are DNS servers.", &["8.8.8.8", "8.8.4.4"]),
        ("Google 8.8.8.8 is a DNS server.", &["8.8.8.8"]),
        ("Google 8.8.8.8:53 and Quad 9.9.9.0/24", &["8.8.8.8", "9.9.9.0"]),
        ("The address of Google 8.8.8.8 is easy.", &["8.8.8.8"]),
        ("From 93.184.216.34 came a letter.", &["93.184.216.34"]),
        ("Die IP-Adresse 93.184.216.34 ist frei.", &["93.184.216.34"]),
        ("Google: 8.8.8.8", &["8.8.8.8"]),
        ("Google\n8.8.8.8", &["8.8.8.8"]),
    ] {
        assert_eq!(found_of(Kind::Ip, text), addresses, "{text}");
    }
}

#[test]
fn numbers_of_versions_and_sections_are_no_addresses() {
    for text in [
        "Chrome/120.0.0.0 Safari",
        "linux-4.15.0.22",
        "linux-4.15.0.22/4.15.0.23",
        "1.2.3.4-beta",
        "100.100.100.100.1",
        "oid:1.3.6.1",
        "version:1.2.3.4",
        "Version 1.2.3.4/1.2.3.5",
        "section 10.1.2.3-10.1.2.5",
        "0,8.8.8.8",
        "1:8.8.8.8",
        "2.1/8.8.8.8",
        "1.2.3.4.5-8.8.8.8",
        "-8.8.8.8",
        "Flash Player 11.2.202.235 is needed to see this page.",
        "Skype 5.10.0.116 is needed. The server is old.",
        "Adobe Reader 9.5.5.1 and Java 1.8.0.25 are old programs.",
        "Java 1.8.0.25, 1.8.0.31 and 1.8.0.45 were published.",
        "iTunes 12.9.5.7 was published for the Mac.",
        "The table 4.3.2.1 shows the numbers.",
        "Table 4.3.2.1 shows the numbers.",
        "See figure 4.3.2.1 for the numbers.",
        "Rule 23.1.2.4 of the handbook",
        "In Abbildung 4.3.2.1 stehen die Zahlen.",
        "如表4.3.2.1所示",
        "First line\n1.2.3.4 Second heading",
        "fd12:2345:6789::1",
        "IPv6:::ffff:8.8.8.8",
    ] {
        assert_eq!(found_of(Kind::Ip, text), [""; 0], "{text}");
    }
}
