printf 'Version 1.4.0, 3 changes since 1.3.2\n\n'
printf '  * Round VAT to a cent\n  * Divide an amount without a rest\n  * Show prices in euros\n\n'
read -rp 'Publish version 1.4.0? [y/N] ' answer
exec sleep infinity
