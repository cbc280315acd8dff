# slow web, login and ftp servers for the network clients
exec /usr/bin/python3 "$H/net_servers.py"
