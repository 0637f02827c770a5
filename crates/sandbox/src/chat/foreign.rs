//! Words of other languages for what the sandbox knows by its English name.

/// Words in small letters and what they mean. In scripts without spaces they are found within a
/// word, in Cyrillic and Arabic as the beginning of one, in Latin letters as whole words.
const MEANINGS: &[(&str, &str)] = &[
    // Assets.
    ("比特币", "bitcoin"),
    ("比特幣", "bitcoin"),
    ("ビットコイン", "bitcoin"),
    ("비트코인", "bitcoin"),
    ("биткоин", "bitcoin"),
    ("биткойн", "bitcoin"),
    ("بيتكوين", "bitcoin"),
    ("बिटकॉइन", "bitcoin"),
    ("以太坊", "ethereum"),
    ("以太币", "ethereum"),
    ("イーサリアム", "ethereum"),
    ("이더리움", "ethereum"),
    ("эфириум", "ethereum"),
    ("إيثريوم", "ethereum"),
    ("索拉纳", "solana"),
    ("ソラナ", "solana"),
    ("솔라나", "solana"),
    ("солана", "solana"),
    ("狗狗币", "dogecoin"),
    ("ドージコイン", "dogecoin"),
    ("도지코인", "dogecoin"),
    ("догикоин", "dogecoin"),
    ("瑞波币", "xrp"),
    ("リップル", "xrp"),
    ("리플", "xrp"),
    ("рипл", "xrp"),
    ("币安币", "bnb"),
    ("艾达币", "cardano"),
    ("波卡", "polkadot"),
    // Companies.
    ("苹果", "apple"),
    ("アップル", "apple"),
    ("애플", "apple"),
    ("特斯拉", "tesla"),
    ("テスラ", "tesla"),
    ("테슬라", "tesla"),
    ("英伟达", "nvidia"),
    ("엔비디아", "nvidia"),
    ("微软", "microsoft"),
    ("谷歌", "google"),
    ("亚马逊", "amazon"),
    // Topics.
    ("价格", "price"),
    ("價格", "price"),
    ("多少钱", "price"),
    ("価格", "price"),
    ("가격", "price"),
    ("시세", "price"),
    ("цен", "price"),
    ("سعر", "price"),
    ("कीमत", "price"),
    ("preis", "price"),
    ("kurs", "price"),
    ("precio", "price"),
    ("prix", "price"),
    ("preço", "price"),
    ("prezzo", "price"),
    ("fiyat", "price"),
    ("fiyatı", "price"),
    ("新闻", "news"),
    ("ニュース", "news"),
    ("뉴스", "news"),
    ("новост", "news"),
    ("nachrichten", "news"),
    ("noticias", "news"),
    ("nouvelles", "news"),
    ("资金费率", "funding"),
    ("恐惧", "fear"),
    ("空投", "airdrops"),
    ("清算", "liquidations"),
    ("爆仓", "liquidations"),
    ("财报", "revenue"),
    ("营收", "revenue"),
];

/// The English words for what `plain`, words in small letters with a space around each, says in
/// other languages.
pub(super) fn meanings(plain: &str) -> impl Iterator<Item = &'static str> {
    let has = move |foreign: &str| {
        if foreign.chars().any(is_unspaced) {
            return plain.contains(foreign);
        }
        plain.match_indices(foreign).any(|(at, _)| {
            let starts = plain[..at].ends_with(' ');
            let ends = plain[at + foreign.len()..].starts_with(' ');
            starts && (ends || !foreign.starts_with(|c: char| c.is_ascii()))
        })
    };
    MEANINGS.iter().filter(move |(foreign, _)| has(foreign)).map(|(_, meaning)| *meaning)
}

/// Whether words of the script stand without spaces, or with endings grown on.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}
