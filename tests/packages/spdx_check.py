#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spdx_check.py LIST PACKAGE TREE: the list of parts is an SPDX 2.3 document about this package and exactly these files.

Holds it to what the specification demands of such documents (and to its JSON schema, if SPDX_SCHEMA names that file).
"""
import hashlib
import json
import os
import re
import sys

IDENTIFIER = re.compile(r"SPDXRef-[A-Za-z0-9.-]+$")
LICENCE = re.compile(r"(?:LicenseRef-)?[A-Za-z0-9.-]+\+?(?: WITH [A-Za-z0-9.-]+)?$")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def demand(holds, what):
    if not holds:
        sys.exit(what)


def checksum(entry, algorithm):
    return next(sum["checksumValue"] for sum in entry["checksums"] if sum["algorithm"] == algorithm)


def check_document(spdx):
    demand(spdx["spdxVersion"] == "SPDX-2.3" and spdx["dataLicense"] == "CC0-1.0", "not SPDX 2.3 under CC0-1.0")
    demand(spdx["SPDXID"] == "SPDXRef-DOCUMENT", "the document is not called SPDXRef-DOCUMENT")
    demand(re.match(r"https://[^#]+$", spdx["documentNamespace"]), "the name space is not an address without #")
    created = spdx["creationInfo"]
    demand(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", created["created"]), "the time is not in UTC to the second")
    demand(all(re.match(r"(Tool|Person|Organization): .", who) for who in created["creators"]), "who made it is not said")
    names = [spdx["SPDXID"]] + [entry["SPDXID"] for entry in spdx["packages"] + spdx["files"]]
    demand(len(names) == len(set(names)) and all(IDENTIFIER.match(name) for name in names), "identifiers are not unique")
    for relation in spdx["relationships"]:
        demand({relation["spdxElementId"], relation["relatedSpdxElement"]} <= set(names), f"leads nowhere: {relation}")
    extracted = {entry["licenseId"] for entry in spdx.get("hasExtractedLicensingInfos", [])}
    for entry in spdx["packages"]:
        demand(entry["name"] and entry["downloadLocation"], f"{entry['SPDXID']}: no name or place")
        for licence in re.split(r" (?:AND|OR) ", entry["licenseDeclared"]):
            demand(LICENCE.match(licence), f"{entry['name']}: {licence} is not a licence")
            demand(not licence.startswith("LicenseRef-") or licence in extracted, f"{licence} has no text")


def check_files(spdx, package, tree):
    described = spdx["packages"][0]
    demand(described["packageFileName"] == os.path.basename(package), "is about another package")
    demand(checksum(described, "SHA256") == sha256(package), "is about another version of the package")
    listed = {entry["fileName"]: checksum(entry, "SHA256") for entry in spdx["files"]}
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(tree) for name in names]
    packed = {"./" + os.path.relpath(path, tree): sha256(path) for path in paths if not os.path.islink(path)}
    demand(listed == packed, f"other files than in the package: {sorted(set(listed.items()) ^ set(packed.items()))[:4]}")
    sums = "".join(sorted(checksum(entry, "SHA1") for entry in spdx["files"]))
    demand(described["packageVerificationCode"]["packageVerificationCodeValue"] == hashlib.sha1(sums.encode()).hexdigest(),
           "the verification code is wrong")


def check_libraries(spdx):
    linked = {name["relatedSpdxElement"] for name in spdx["relationships"] if name["relationshipType"].endswith("_LINK")}
    libraries = spdx["packages"][1:]
    demand(linked == {entry["SPDXID"] for entry in libraries}, "a library is not linked")
    demand({"glib2.0", "libgit2", "elfutils", "jansson", "libyaml", "capstone", "libzstd"} <= {entry["name"] for entry in libraries},
           "a library is missing")
    demand(all(entry["versionInfo"] for entry in libraries), "a library has no version")


def main(path, package, tree):
    with open(path, encoding="utf-8") as file:
        spdx = json.load(file)
    check_document(spdx)
    check_files(spdx, package, tree)
    check_libraries(spdx)
    if os.environ.get("SPDX_SCHEMA"):
        import jsonschema
        with open(os.environ["SPDX_SCHEMA"], encoding="utf-8") as file:
            jsonschema.validate(spdx, json.load(file))
        print("keeps to the schema")


main(*sys.argv[1:])
