#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py: the parts of a package as an SPDX 2.3 document, on standard output.

The package with the SHA-256 of each of its files, and each library that it links. Libraries come as lines of source
package and version, as Debian names them, and how they are linked if not as --relation says. Nothing in the document depends on when or where it is made.
"""
import argparse
import hashlib
import json
import os
import re
import time
import urllib.parse

# Licences of the libraries by the source package, as its copyright file has them for the library itself.
LICENCES = {
    "binutils": "LGPL-2.0-or-later",  # libiberty
    "bzip2": "bzip2-1.0.6",
    "capstone": "BSD-3-Clause",
    "elfutils": "GPL-2.0-or-later OR LGPL-3.0-or-later",
    "glib2.0": "LGPL-2.1-or-later",
    "glibc": "LGPL-2.1-or-later",
    "http-parser": "MIT",
    "jansson": "MIT",
    "libffi": "MIT",
    "libgit2": "GPL-2.0-only WITH GCC-exception-2.0",
    "libiberty": "LGPL-2.0-or-later",
    "libyaml": "MIT",
    "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "pcre2": "BSD-3-Clause",
    "xz-utils": "LicenseRef-public-domain",  # liblzma
    "zlib": "Zlib",
}
PUBLIC_DOMAIN = "liblzma is in the public domain; see the copyright file of xz-utils."


def digests(path):
    with open(path, "rb") as file:
        data = file.read()
    return [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, data).hexdigest()} for name in ("sha1", "sha256")]


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def files_of(tree):
    paths = sorted(os.path.join(folder, name) for folder, _, names in os.walk(tree) for name in names)
    for number, path in enumerate(path for path in paths if not os.path.islink(path)):
        yield {"SPDXID": f"SPDXRef-File-{number}", "fileName": "./" + os.path.relpath(path, tree), "checksums": digests(path),
               "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


def verification_code(files):
    sums = sorted(entry["checksums"][0]["checksumValue"] for entry in files)
    return hashlib.sha1("".join(sums).encode()).hexdigest()


def library(name, version):
    licence = LICENCES[name]  # a library whose licence nobody looked up is an error
    return {"SPDXID": identifier("Library", name), "name": name, "versionInfo": version, "supplier": "Organization: Debian",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name}@{urllib.parse.quote(version)}?arch=source"}]}


def document(options):
    files = list(files_of(options.tree))
    with open(options.libraries, encoding="utf-8") as lines:
        fields = [line.rstrip("\n").split("\t") for line in lines]
    libraries = [library(*field[:2]) for field in fields]
    name = os.path.basename(options.package)
    package = {"SPDXID": "SPDXRef-Package", "name": "firebreak", "versionInfo": options.version, "packageFileName": name,
               "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": True,
               "packageVerificationCode": {"packageVerificationCodeValue": verification_code(files)},
               "checksums": digests(options.package), "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0",
               "licenseInfoFromFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
               "sourceInfo": f"built from commit {options.commit}"}
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package")]
    relationships += [("SPDXRef-Package", "CONTAINS", file["SPDXID"]) for file in files]
    relationships += [("SPDXRef-Package", field[2] if len(field) > 2 else options.relation, entry["SPDXID"])
                      for field, entry in zip(fields, libraries)]
    whole = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        # unique because the package is
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{package['checksums'][1]['checksumValue']}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(options.time)),
                         "creators": [f"Tool: firebreak-sbom-{options.version}"]},
        "documentDescribes": ["SPDXRef-Package"],
        "packages": [package, *libraries],
        "files": files,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in relationships],
    }
    if any("LicenseRef-public-domain" in entry["licenseDeclared"] for entry in libraries):
        whole["hasExtractedLicensingInfos"] = [{"licenseId": "LicenseRef-public-domain", "extractedText": PUBLIC_DOMAIN,
                                                "name": "public domain"}]
    return whole


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--time", type=int, required=True, help="seconds since 1970")
    parser.add_argument("--package", required=True, help="the packed file")
    parser.add_argument("--tree", required=True, help="what is in it")
    parser.add_argument("--libraries", required=True, help="file of lines: source package, tab, version")
    parser.add_argument("--relation", required=True, choices=["STATIC_LINK", "DYNAMIC_LINK"])
    print(json.dumps(document(parser.parse_args()), indent=1))


main()
