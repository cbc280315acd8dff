# A scratch dpkg root with package conft 1 installed and its conffile edited; DEB2 is version 2 of it.
set -e
run() { if [ "$(id -u)" = 0 ]; then setpriv --reuid="$BENCH_USER" --regid="$BENCH_USER" --init-groups "$@"; else "$@"; fi; }
root="$RUNS/dpkgroot"
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
for version in 1 2; do
  tree="$DIR/v$version"
  mkdir -p "$tree/DEBIAN" "$tree/etc"
  printf 'Package: conft\nVersion: %s\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: conffile test\n' $version > "$tree/DEBIAN/control"
  echo /etc/conft.conf > "$tree/DEBIAN/conffiles"
  echo "version $version" > "$tree/etc/conft.conf"
done
[ "$(id -u)" != 0 ] || chown -R "$BENCH_USER:" "$root" "$DIR"
export PATH="$PATH:/usr/sbin:/sbin"
for version in 1 2; do run dpkg-deb --build "$DIR/v$version" "$DIR/conft$version.deb" > /dev/null; done
run dpkg --force-not-root --root="$root" -i "$DIR/conft1.deb" > /dev/null 2>&1
echo "edited by hand" >> "$root/etc/conft.conf"
echo "set DPKGROOT=$root"
echo "set DEB2=$DIR/conft2.deb"
echo ready
exec sleep infinity
