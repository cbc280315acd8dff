# tests for pytest: one passes late, one fails, one takes long
import time

def test_list():
    time.sleep(1.2)

def test_total():
    total = 3 * 7
    assert total == 42

def test_stock():
    time.sleep(5)
