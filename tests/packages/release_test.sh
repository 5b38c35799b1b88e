#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The release workflow and the container file, read as what they are: pinned, with few rights, and with the packages that
# ./dev and the Debian package name. SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is not installed"

WORKFLOW=.github/workflows/release.yml
check "the workflow keeps to the rules for templates" python3 tests/ci-templates/lint.py check $WORKFLOW
pins() { grep -oE 'uses: [^ ]+@[0-9a-f]{40} # v[0-9.]+$' $WORKFLOW; }
check "every pin says its version" is "$(pins | wc -l)" "$(grep -c 'uses:' $WORKFLOW)"
check "no pin is made up of one digit" is "$(pins | grep -E '@(.)\1{39}')" ''
check "one action has one pin" is "$(pins | sort -u | sed 's/@.*//' | uniq -d)" ''
writes() { # the jobs that may write, and what
	python3 - $WORKFLOW <<-'PY'
		import sys, yaml
		jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
		print(*(f"{name}:{right}" for name, job in jobs.items() for right, how in job.get("permissions", {}).items() if how == "write"))
	PY
}
check "only the job that publishes may write, and runs nothing of the repository" is "$(writes)" \
	"publish:contents publish:id-token publish:attestations"
checks_out() { python3 -c 'import sys, yaml; print(any("checkout" in s.get("uses", "") for s in yaml.safe_load(open(sys.argv[1]))["jobs"]["publish"]["steps"]))' $WORKFLOW; }
check "it checks nothing out" is "$(checks_out)" False

# the step that compares the tag, run as the runner does
python3 - $WORKFLOW >"$WORK/tag.sh" <<'PY'
import sys, yaml
jobs = yaml.safe_load(open(sys.argv[1]))["jobs"]
print(next(step["run"] for step in jobs["package"]["steps"] if step.get("id") == "version"))
PY
mkdir "$WORK/tree" && cp CMakeLists.txt "$WORK/tree/"
version=$(sed -nE 's/^project\(firebreak VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
printf '# Changelog\n\n## %s (2026-01-31)\n' "$version" >"$WORK/tree/CHANGELOG.md"
tagged() { (cd "$WORK/tree" && HOME=$WORK TAG=$1 MAINTAINER=${MAINTAINER-Jane Doe <jane@example.net>} bash --noprofile --norc -eo pipefail "$WORK/tag.sh"); }
refused() { ! tagged "$1"; }
check "the tag of the version is taken" tagged "v$version"
check "another tag is refused" refused v99.0.0
for MAINTAINER in '' jane@example.net 'Jane Doe' 'Jane <jane>'; do
	check "the maintainer \"$MAINTAINER\" is refused" refused "v$version"
done
unset MAINTAINER
sed -i 's/(.*)/(not released)/' "$WORK/tree/CHANGELOG.md"
check "a version without a date is refused" refused "v$version"

# actions have the inputs that they are given: those of the pinned versions
inputs() {
	python3 - $WORKFLOW <<-'PY'
		import sys, yaml
		HAVE = {
		    "actions/attest@1e69f48acb82d1966a394da916b4c1698aa569d6": "subject-path subject-checksums sbom-path show-summary",
		    "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1": "ref persist-credentials path filter fetch-depth fetch-tags",
		    "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c": "name path pattern merge-multiple run-id",
		    "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f": "name path if-no-files-found retention-days overwrite archive",
		}
		for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values():
		    for step in job["steps"]:
		        for name in step.get("with", {}):
		            if name not in HAVE[step["uses"]].split():
		                print(step["uses"], name)
	PY
}
check "every action knows its inputs" is "$(inputs 2>&1)" ''

# the steps that publish, run as the runner does, with a stub of gh that keeps what it is told
mkdir -p "$WORK/publish/dist" "$WORK/bin"
touch "$WORK/publish/dist/firebreak-$version-linux-x86_64.tar.xz" "$WORK/publish/dist/firebreak_$version-1~debian12_amd64.deb"
cat >"$WORK/bin/gh" <<'SH'
#!/bin/bash
case $1 in
api) [ "$2" = "repos/someone/firebreak/contents/CHANGELOG.md?ref=v$VERSION" ] && cat "$CHANGES" ;;
release) printf '%s\n' "$@" >gh.said ;;
esac
SH
chmod +x "$WORK/bin/gh"
step_named() { # step_named JOB NAME: its script
	python3 -c 'import sys, yaml; print(next(s["run"] for s in yaml.safe_load(open(sys.argv[1]))["jobs"][sys.argv[2]]["steps"] if s.get("name") == sys.argv[3]))' $WORKFLOW "$@"
}
run_step() { # run_step JOB NAME: in a folder with what the steps before it left
	step_named "$@" >"$WORK/step.sh"
	(cd "$WORK/publish" && PATH=$WORK/bin:$PATH HOME=$WORK VERSION=$version CHANGES=$WORK/tree/CHANGELOG.md TAG=v$version GH_REPO=someone/firebreak \
		GITHUB_REF_NAME=v$version GITHUB_STEP_SUMMARY=$WORK/summary bash -e "$WORK/step.sh")
}
check "the sums of all packages are written" run_step publish "Check sums of all packages"
check "and hold" is "$(cd "$WORK/publish/dist" && sha256sum --check --quiet SHA256SUMS && wc -l <SHA256SUMS)" 2
printf '# Changelog\n\n## 99.0.0 (not released)\n\n- Later.\n\n## %s (2026-01-31)\n\n- New.\n\n## 0.0.1 (2025-01-01)\n\n- Old.\n' "$version" >"$WORK/tree/CHANGELOG.md"
check "it is published" run_step publish Publish
check "with the notes of this version alone" is "$(grep . "$WORK/publish/notes.md")" "- New."
check "as a release of the tag, with its packages and sums" is "$(xargs <"$WORK/publish/gh.said")" \
	"release create v$version --verify-tag --title firebreak $version --notes-file notes.md dist/SHA256SUMS dist/firebreak-$version-linux-x86_64.tar.xz dist/firebreak_$version-1~debian12_amd64.deb"
printf '# Changelog\n\n## %s (2026-01-31)\n\n## 0.0.1 (2025-01-01)\n\n- Old.\n' "$version" >"$WORK/tree/CHANGELOG.md"
no_notes() { ! run_step publish Publish; }
check "a release without notes is refused" no_notes
check "the summary says how the action learns of it" run_step publish "What is left to do"
check "with the tag" grep -q "gh release download v$version" "$WORK/summary"

# --- packaging/Dockerfile
sed -z 's/\\\n//g' packaging/Dockerfile | grep -v '^#' >"$WORK/Dockerfile"
installed() { # installed N: the packages that the N-th stage installs
	awk -v n="$1" '/^FROM/ { stage++ } stage == n && /^RUN .*apt-get/' "$WORK/Dockerfile" | sed -E 's/.*--no-install-recommends//; s/ && .*//' | xargs -n 1 | sort
}
build_packages=$({ sed -n '/^BUILD_PACKAGES=(/,/)/p' dev | tr -d '()' | sed 's/BUILD_PACKAGES=//' && echo dpkg-dev file; } | xargs -n 1 | sort)
check "the image is built with the packages that ./dev names" is "$(installed 1)" "$build_packages"
check "beside the package it installs git and certificates" is "$(installed 2 | xargs)" "\$GIT /packed/*.deb ca-certificates"
check "two stages, of a named release" is "$(grep -E '^(ARG|FROM)' "$WORK/Dockerfile" | xargs)" "ARG BASE=debian:12-slim FROM \$BASE AS build FROM \$BASE ARG GIT=git"
check "it does not run as root" is "$(grep '^USER' "$WORK/Dockerfile")" "USER firebreak"
check "lists of packages do not stay in it" is "$(grep -c '^RUN .*apt-get' "$WORK/Dockerfile")" "$(grep -c 'rm -rf /var/lib/apt/lists' "$WORK/Dockerfile")"
finish
