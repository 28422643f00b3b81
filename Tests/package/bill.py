"""Checks the bill of materials of a package: its form, and that it names all that the programs are made of.

Usage: bill.py ROOT REPOSITORY     ROOT: the unpacked package
"""
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys

root, repository = sys.argv[1:]
folder = f"{root}/usr/share/doc/auricle"
with open(f"{folder}/auricle.cdx.json", encoding="utf-8") as file:
    bill = json.load(file)
wrong = []


def expect(fact, text):
    if not fact:
        wrong.append(text)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def everything(components):
    for component in components:
        yield component
        yield from everything(component.get("components", []))


# Form, as CycloneDX 1.6 asks for it.
expect(bill["bomFormat"] == "CycloneDX" and bill["specVersion"] == "1.6" and bill["version"] == 1, "no CycloneDX 1.6")
expect(re.fullmatch(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", bill["serialNumber"]), "serial number")
whole = bill["metadata"]["component"]
expect(whole["name"] == "auricle" and whole["licenses"] == [{"license": {"id": "GPL-3.0-or-later"}}], "the whole is not auricle under GPL-3+")
expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["metadata"]["timestamp"]), "time")
found = {component["name"]: component for component in everything(bill["components"])}
references = [component["bom-ref"] for component in everything(bill["components"])] + ["auricle"]
expect(len(references) == len(set(references)) == len(found) + 1, "two components of one name")
for name, component in found.items():
    expect(component["type"] == "library" and component["purl"].startswith("pkg:"), f"{name}: no library with a purl")
    expect(component.get("version") or component["description"].startswith("The copy within "), f"{name}: no version")
    for licence in component["licenses"]:
        text = licence.get("expression") or licence["license"].get("id") or licence["license"]["name"]
        expect(text and not text.startswith("see "), f"{name}: no licence; add its source package to debian/licences")
for edge in bill["dependencies"]:
    expect(all(other in references for other in [edge["ref"], *edge["dependsOn"]]), f"{edge['ref']}: depends on what is not listed")
kinds = {name: [entry["value"] for entry in component["properties"] if entry["name"] == "auricle:linking"] for name, component in found.items()}

# Every Swift package at its resolved version.
with open(f"{repository}/Package.resolved", encoding="utf-8") as file:
    pins = json.load(file)["pins"]
for pin in pins:
    component = found.get(pin["identity"], {})
    expect(component.get("version") == pin["state"]["version"], f"{pin['identity']}: another version, or none")
    expect({"name": "auricle:revision", "value": pin["state"]["revision"]} in component.get("properties", []), f"{pin['identity']}: another revision")

# Every component that is linked in has its paragraph in debian/copyright, with a licence whose text is there too.
with open(f"{folder}/copyright", encoding="utf-8") as file:
    paragraphs = re.split(r"\n\s*\n", file.read())
named = {re.search(r"^Component: (.*)$", text, re.M)[1]: text for text in paragraphs if re.search(r"^Component:", text, re.M)}
static = {name for name, kind in kinds.items() if kind == ["static"]}
expect(static == set(named), f"of bill and copyright one alone names {sorted(static ^ set(named))}")
for name, text in named.items():
    licence = re.search(r"^License: (.*)$", text, re.M)[1]
    expect(re.search(rf"^License: {re.escape(licence)}\n ", "\n\n".join(paragraphs), re.M), f"{name}: the text of {licence} is missing")
# And every library of Swift's that is linked in is one of them.
with open(f"{repository}/Package.swift", encoding="utf-8") as file:
    asked = set(re.findall(r'"-l(\w+)"', file.read()))
swift = os.path.dirname(os.path.dirname(os.path.realpath(run("sh", "-c", "command -v swiftc").strip())))
with open(f"{swift}/lib/swift_static/linux/static-stdlib-args.lnk", encoding="utf-8") as file:
    asked |= set(re.findall(r"-l(\w+)", file.read()))
patterns = [pattern for text in named.values() for pattern in re.search(r"^Files:((?:.|\n )*)", text, re.M)[1].split()]
archives = [f"usr/lib/swift_static/linux/lib{name}.a" for name in asked]
archives = [archive for archive in archives if os.path.exists(f"{os.path.dirname(swift)}/{archive}")]
expect(len(archives) >= 10, f"found {len(archives)} libraries of Swift")
for archive in archives:
    expect(any(fnmatch.fnmatch(archive, pattern) for pattern in patterns), f"{archive}: debian/copyright names it nowhere")

# Every shared library's package, whoever loads it, and of those that the programs load themselves the versions that are accepted.
libraries = set()
for program in ("auricle", "auricle-auth"):
    libraries |= set(re.findall(r"^\s*(?:(\S+) => /|/\S*/(ld-\S+) )", run("ldd", f"{root}/usr/bin/{program}"), re.M))
libraries = {first or second for first, second in libraries}
expect(len(libraries) > 15, f"ldd finds {len(libraries)} libraries")
for library in sorted(libraries):
    owners = {line.split(":")[0] for line in run("dpkg-query", "-S", f"*/{library}").splitlines()}
    expect(any(kinds.get(owner) == ["shared"] for owner in owners), f"{library}: of {sorted(owners)} none is listed")
accepted = {entry["value"] for component in found.values() for entry in component["properties"] if entry["name"] == "auricle:depends"}
depends = run("dpkg-deb", "-f", *glob.glob("auricle_*.deb"), "Depends").strip().split(", ")
for entry in depends:
    expect(entry in accepted or entry.split()[0] not in kinds, f"{entry}: the bill says other versions")
expect(len(accepted) >= 12, f"found {len(accepted)} accepted ranges of versions")

# Published definitions, where PyPI can be reached.
try:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    from license_expression import get_spdx_licensing
except ImportError:
    print("Not checked against CycloneDX's schema and SPDX's list: PyPI was not reached")
else:
    with open(f"{folder}/auricle.cdx.json", encoding="utf-8") as file:
        fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(file.read())
    expect(fault is None, f"CycloneDX's schema: {fault}")
    for name, component in found.items():
        for licence in component["licenses"]:
            faults = get_spdx_licensing().validate(licence["expression"]).errors if "expression" in licence else []
            expect(not faults, f"{name}: {faults}")
    print("It agrees with CycloneDX's schema and SPDX's list")
print(f"The bill of materials has {len(found)} components: {len(static)} linked in, {len(found) - len(static)} Debian packages")
for text in wrong:
    print(f"bill of materials: {text}")
sys.exit(1 if wrong else 0)
