printf 'Packing build 1.4.0   42 files, 1.3 MB\nConnecting to staging\n\n'
read -rsp 'Password for deploy@staging: ' answer
exec sleep infinity
