# a shell of a router, written in Python: it has the prompt of a shell and none of its children
import readline, time

while True:
    words = input("admin@edge1:~$ ").split()
    match words[:1]:
        case ["show"]:
            print("eth0 up\neth1 down")
        case ["commit"]:
            time.sleep(3)
            print("committed")
        case ["reload"]:
            time.sleep(60)
        case [word]:
            print(f"-sh: {word}: not found")
