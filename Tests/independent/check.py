"""Checks cards with the libraries of others, and makes one with them that our programs are to read.

    check.py card CARD CLINIC EXPORT     a prescription's card, its clinic's card, and the exported bundle
    check.py audiogram FILE            a hearing test's audiogram in FHIR
    check.py forge KEY PASSPHRASE CARD OUTPUT
                                         opens the clinic's key file and signs the card's content with another serial

CARD and CLINIC hold `shc:/` texts.
"""

import base64
import json
import re
import sys
import zlib

from fhir.resources import __fhir_version__
from fhir.resources.bundle import Bundle
from joserfc import jwe, jws
from joserfc.errors import BadSignatureError
from joserfc.jwk import ECKey, OctKey

CONFORMANT = "https://smarthealth.cards#health-card"
# `zip` is of SMART Health Cards and not of RFC 7515.
REGISTRY = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)


def compact(path):
    """The JWS of a file with a card, by the rule of SMART Health Cards."""
    text = open(path).read().strip()
    digits = re.fullmatch(r"shc:/((?:\d\d)+)", text)[1]
    pairs = (digits[index : index + 2] for index in range(0, len(digits), 2))
    return "".join(chr(int(pair) + 45) for pair in pairs)


def verified(token, key):
    """Payload of a JWS whose signature and header are right."""
    signed = jws.deserialize_compact(token, key, registry=REGISTRY)
    assert signed.headers() == {"zip": "DEF", "alg": "ES256", "kid": key.thumbprint()}, signed.headers()
    unpacker = zlib.decompressobj(wbits=-15)
    content = unpacker.decompress(signed.payload)
    assert unpacker.eof and not unpacker.unused_data
    return json.loads(content)


def refused(token, key):
    try:
        jws.deserialize_compact(token, key, registry=REGISTRY)
    except BadSignatureError:
        return
    raise AssertionError("an altered card was verified")


def clinic_key(path):
    """A clinic's card is signed by the key that it carries."""
    token = compact(path)
    body = token.split(".")[1]
    packed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    subject = json.loads(zlib.decompress(packed, wbits=-15))["vc"]["credentialSubject"]
    key = ECKey.import_key(subject["jwk"])
    verified(token, key)
    return key


def checked_bundle(bundle, types):
    """The bundle by the R4 base definitions: cardinality, types, no member that R4 does not have."""
    model = Bundle.parse_obj(bundle)
    found = [entry.resource.resource_type for entry in model.entry]
    assert sorted(set(found)) == types, found
    assert found.count("Observation") == 2
    # What the models write is what they read: nothing was dropped or taken for something else.
    assert json.loads(model.json().replace("+00:00", "Z")) == bundle
    addresses = {entry.fullUrl for entry in model.entry}
    for entry in model.entry:
        resource = entry.resource
        for name in ("subject", "requester"):
            reference = getattr(resource, name, None)
            if reference is not None and reference.reference is not None:
                assert reference.reference in addresses, reference
    return model


def spoiled(bundle):
    """Bundles that R4 does not allow: without what it demands, or with what it does not have."""
    for change in (
        lambda resource: resource.pop("status"),
        lambda resource: resource.update(threshold=40),
        lambda resource: resource["component"][0].pop("code"),
        lambda resource: resource["component"][0]["valueQuantity"].update(value="loud"),
    ):
        copy = json.loads(json.dumps(bundle))
        change(next(e["resource"] for e in copy["entry"] if e["resource"]["resourceType"] == "Observation"))
        yield copy


def card(card_path, clinic_path, export_path):
    key = clinic_key(clinic_path)
    token = compact(card_path)
    payload = verified(token, key)
    # https://spec.smarthealth.cards: what a health card must have.
    assert payload["iss"].startswith(("https://", "urn:"))
    assert isinstance(payload["nbf"], int)
    assert payload["vc"]["type"] == [CONFORMANT]
    subject = payload["vc"]["credentialSubject"]
    assert subject["fhirVersion"] == "4.0.1" == __fhir_version__
    bundle = subject["fhirBundle"]
    types = ["DeviceRequest", "Observation", "Patient", "Practitioner"]
    checked_bundle(bundle, types)
    for index, entry in enumerate(bundle["entry"]):
        assert entry["fullUrl"] == f"resource:{index}"
        assert not {"id", "meta", "text"} & entry["resource"].keys()

    for invalid in spoiled(bundle):
        try:
            Bundle.parse_obj(invalid)
        except ValueError:
            continue
        raise AssertionError("the R4 models take anything")

    checked_bundle(json.load(open(export_path)), types)

    header, body, signature = token.split(".")
    swapped = "A" if body[40] != "A" else "B"
    refused(f"{header}.{body[:40]}{swapped}{body[41:]}.{signature}", key)
    refused(f"{header}.{body}.{signature[:10]}{'A' if signature[10] != 'A' else 'B'}{signature[11:]}", key)
    refused(token, ECKey.generate_key("P-256"))
    print(f"verified by joserfc; valid FHIR {__fhir_version__}; {len(token)} characters")


def audiogram(path):
    """A hearing test's bundle by the R4 base definitions, and what they would not take."""
    bundle = json.load(open(path))
    checked_bundle(bundle, ["Observation"])
    for entry in bundle["entry"]:
        assert entry["resource"]["effectiveDateTime"] and entry["resource"]["note"]
        for part in entry["resource"]["component"]:
            quantity = part["valueQuantity"]
            assert (quantity["system"], quantity["code"]) == ("http://unitsofmeasure.org", "dB"), quantity
    for invalid in spoiled(bundle):
        try:
            Bundle.parse_obj(invalid)
        except ValueError:
            continue
        raise AssertionError("the R4 models take anything")
    print(f"valid FHIR {__fhir_version__}: {len(bundle['entry'])} observations")


def forge(key_path, passphrase, card_path, output):
    secret = OctKey.import_key(passphrase.encode())
    algorithms = ["PBES2-HS512+A256KW", "A256GCM"]
    registry = jwe.JWERegistry(algorithms=algorithms)
    opened = jwe.decrypt_compact(open(key_path).read().strip(), secret, registry=registry)
    key = ECKey.import_key(json.loads(opened.plaintext))
    assert key.is_private and key.kid == key.thumbprint()
    payload = verified(compact(card_path), key)
    for entry in payload["vc"]["credentialSubject"]["fhirBundle"]["entry"]:
        if entry["resource"]["resourceType"] == "DeviceRequest":
            entry["resource"]["identifier"][0]["value"] = "4711"
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(payload, ensure_ascii=False).encode()) + packer.flush()
    header = {"kid": key.thumbprint(), "alg": "ES256", "zip": "DEF"}
    token = jws.serialize_compact(header, packed, key, registry=REGISTRY)
    open(output, "w").write("shc:/" + "".join(f"{ord(character) - 45:02}" for character in token))
    print("opened the clinic's key with joserfc, and signed with it")


if __name__ == "__main__":
    {"card": card, "audiogram": audiogram, "forge": forge}[sys.argv[1]](*sys.argv[2:])
