# a question that ends its line, and an empty line below it that takes the answer
import time

def ask(question):
    print(f"{question} (press enter to skip)")
    return input()

ask("Describe the change")
time.sleep(3)
ask("Reviewers, separated by commas")
time.sleep(0.8)
ask("Issue that it closes")
print("Uploading the change")
time.sleep(60)
