//! How an answer is to be told, as far as instructions say so in words that are looked for: nothing
//! here understands them.

use super::words::Words;

/// How to answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Manner {
    /// In a few lines.
    pub(super) brief: bool,
    language: Option<&'static Language>,
}

/// A language in which an answer says what it is. The names of figures stay English.
#[derive(Debug, PartialEq, Eq)]
struct Language {
    /// Words that ask for it, in small letters.
    words: &'static [&'static str],
    /// The first line, with `{time}` for the moment.
    opening: &'static str,
}

const ENGLISH: &str = "Invented figures of the sandbox, as of {time}.";

const LANGUAGES: &[Language] = &[
    Language {
        words: &["german", "deutsch"],
        opening: "Erfundene Zahlen der Sandbox, Stand {time}. Die Namen der Werte bleiben englisch.",
    },
    Language {
        words: &["french", "français", "francais"],
        opening: "Chiffres inventés du bac à sable, au {time}. Les noms des valeurs restent en anglais.",
    },
    Language {
        words: &["spanish", "español", "espanol"],
        opening: "Cifras inventadas del sandbox, a {time}. Los nombres de los valores siguen en inglés.",
    },
    Language {
        words: &["portuguese", "português", "portugues"],
        opening: "Números inventados do sandbox, em {time}. Os nomes dos valores continuam em inglês.",
    },
    Language {
        words: &["italian", "italiano"],
        opening: "Cifre inventate della sandbox, al {time}. I nomi dei valori restano in inglese.",
    },
    Language {
        words: &["russian", "русском", "русский", "русски"],
        opening: "Вымышленные данные песочницы на {time}. Названия показателей — на английском.",
    },
    Language {
        words: &["chinese", "mandarin", "中文"],
        opening: "沙盒虚构的数据,截至 {time}。数据名称为英文。",
    },
    Language {
        words: &["japanese", "日本語"],
        opening: "サンドボックスの架空の数値、{time} 時点。項目名は英語です。",
    },
    Language {
        words: &["korean", "한국어"],
        opening: "샌드박스의 가상 수치, {time} 기준. 항목 이름은 영어입니다.",
    },
];

/// Words that ask for few words, in small letters.
const BRIEF: &[&str] = &[
    "brief",
    "briefly",
    "short",
    "concise",
    "concisely",
    "terse",
    "one sentence",
    "one line",
    "few words",
    "kurz",
    "bref",
    "breve",
    "简短",
    "简洁",
    "短く",
    "짧게",
    "кратко",
];

impl Manner {
    /// Style that `guidance` requests.
    pub(super) fn of(guidance: &str) -> Self {
        let words = Words::of(guidance);
        let says =
            |phrase: &&str| words.has(phrase) || !phrase.is_ascii() && words.contains(phrase);
        Manner {
            brief: BRIEF.iter().any(&says),
            language: LANGUAGES.iter().find(|language| language.words.iter().any(&says)),
        }
    }

    /// The line that says what the answer is.
    pub(super) fn opening(self, time: &str) -> String {
        let text = self.language.map_or(ENGLISH, |language| language.opening);
        text.replace("{time}", time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guidance_is_read_for_brevity_and_language() {
        for (guidance, brief, opening) in [
            ("", false, "Invented"),
            ("Be brief.", true, "Invented"),
            ("Answer in one sentence, in German.", true, "Erfundene"),
            ("Réponds en français", false, "Chiffres"),
            ("请用中文简短回答", true, "沙盒"),
            ("日本語で", false, "サンドボックス"),
            ("Long and thorough", false, "Invented"),
        ] {
            let manner = Manner::of(guidance);
            assert_eq!(manner.brief, brief, "{guidance}");
            assert!(manner.opening("now").starts_with(opening), "{guidance}");
        }
        assert_eq!(Manner::default().opening("now"), "Invented figures of the sandbox, as of now.");
    }
}
