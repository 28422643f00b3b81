# What holds the package to its layers finds each kind of fault that is planted in a small package.
set -euo pipefail
mkdir -p Sources/Base Sources/Sound/Tone Sources/Programs/play
cat >Package.swift <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "planted",
  targets: [
    .target(name: "Base", path: "Sources/Base"),
    .target(name: "Tone", dependencies: ["Base"], path: "Sources/Sound/Tone"),
    .executableTarget(name: "play", dependencies: ["Tone"], path: "Sources/Programs/play"),
  ])
SWIFT
echo 'public struct Clock {}' >Sources/Base/Clock.swift
printf 'import Base\n\nstruct Sine {}\n' >Sources/Sound/Tone/Sine.swift
printf '// import Base\nimport Glibc\npublic import Tone\n' >Sources/Programs/play/Main.swift
git init -q .
arrows() { "$REPOSITORY/.ci/arrows" . 2>&1; }
good() { arrows >found || { cat found >&2; echo 'expected no fault' >&2; exit 1; }; }
fault() { # TEXT
  if arrows >found; then echo "expected a fault: $1" >&2; exit 1; fi
  grep -qF -- "$1" found || { cat found >&2; echo "expected: $1" >&2; exit 1; }
  [ "$(wc -l <found)" -eq 1 ] || { cat found >&2; echo 'expected one fault' >&2; exit 1; }
}
good

printf '@testable import Base\n' >Sources/Programs/play/More.swift
fault 'Sources/Programs/play/More.swift: imports Base, which play does not declare'
rm Sources/Programs/play/More.swift

mv Sources/Sound/Tone/Sine.swift kept
echo 'struct Sine {}' >Sources/Sound/Tone/Sine.swift
fault 'Tone: declares Base and does not import it'
mv kept Sources/Sound/Tone/Sine.swift

printf 'public enum Tone {}\n' >Sources/Sound/Tone/Tone.swift
fault 'a type is named as its module, Tone'
rm Sources/Sound/Tone/Tone.swift
good

# Folders of a module: named in code is an arrow, named in a comment or a text is none.
mkdir -p Sources/Sound/HearingDSP/Gain Sources/Sound/HearingDSP/Chain
sed -i 's#^    .target(name: "Tone"#    .target(name: "HearingDSP", path: "Sources/Sound/HearingDSP"),\n&#' Package.swift
printf '/// As ``Chain`` asks.\nstruct Curve { var text = "Chain // of gains" } // Chain\n' >Sources/Sound/HearingDSP/Gain/Curve.swift
printf 'struct Chain { var curve: [Curve] }\n' >Sources/Sound/HearingDSP/Chain/Chain.swift
good
printf 'extension Chain {}\n' >Sources/Sound/HearingDSP/Gain/Chain+Gain.swift
fault 'Sources/Sound/HearingDSP: a circle: Chain → Gain → Chain (Chain names Curve of Gain, Gain names Chain of Chain)'
rm -r Sources/Sound/HearingDSP
sed -i '/"HearingDSP"/d' Package.swift
good

mkdir -p Sources/Aid/Tone
mv Sources/Sound/Tone/Sine.swift Sources/Aid/Tone/
sed -i 's#Sources/Sound/Tone#Sources/Aid/Tone#; s#name: "Base", path#name: "Base", dependencies: ["Upper"], path#
  s#^    .target(name: "Tone"#    .target(name: "Upper", path: "Sources/Aid/Upper"),\n&#' Package.swift
mkdir -p Sources/Aid/Upper
echo 'struct High {}' >Sources/Aid/Upper/High.swift
printf 'import Upper\n\npublic struct Clock {}\n' >Sources/Base/Clock.swift
fault 'Base: depends on Upper, which is in a higher layer'
