#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# staged.sh ROOT VERSION RELEASE MAINTAINER: makes the tree of an installation below ROOT/usr one that follows Debian's
# policy. SOURCE_DATE_EPOCH is the time that everything gets.
set -euo pipefail
ROOT=$1 VERSION=$2 RELEASE=$3 MAINTAINER=$4
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SHARE=$ROOT/usr/share DOC=$ROOT/usr/share/doc/firebreak
: "${SOURCE_DATE_EPOCH:=$(date +%s)}"
umask 022

# The licence itself is part of every Debian system.
rm -f "$DOC/LICENSE"
install -m 644 "$HERE/copyright" "$DOC/copyright"
mv "$DOC/CHANGELOG.md" "$DOC/changelog"
cat >"$DOC/changelog.Debian" <<CHANGELOG
firebreak ($VERSION-$RELEASE) unstable; urgency=medium

  * Version $VERSION; changelog.gz says what is new.

 -- $MAINTAINER  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
install -D -m 644 "$HERE/lintian-overrides" "$SHARE/lintian/overrides/firebreak"

mkdir -p "$SHARE/zsh/vendor-completions"
mv "$SHARE/zsh/site-functions/_firebreak" "$SHARE/zsh/vendor-completions/"
rmdir "$SHARE/zsh/site-functions"

gzip -9nf "$DOC/changelog" "$DOC/changelog.Debian" "$SHARE"/man/man?/*
find "$ROOT/usr/libexec" "$ROOT/usr/bin" -type f -exec strip --strip-unneeded --remove-section=.comment --remove-section=.note {} +
find "$ROOT/usr" -type d -exec chmod 755 {} + , -type f -exec chmod u=rwX,go=rX {} +
find "$ROOT/usr" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
