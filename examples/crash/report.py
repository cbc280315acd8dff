"""Revenue per region, from a CSV of sales.

    python3 report.py sales.csv

The columns are: date, region, product, quantity, price (of one piece).
"""

import csv
import sys
from collections import defaultdict


def revenue_of(row):
    return int(row['quantity']) * float(row['price'])


def sum_by_region(rows):
    revenue = defaultdict(float)
    for row in rows:
        revenue[row['region']] += revenue_of(row)
    return revenue


def print_table(revenue):
    for region, amount in sorted(revenue.items()):
        print(f'{region:<10}{amount:>14,.2f}')
    print('-' * 24)
    print(f'{"total":<10}{sum(revenue.values()):>14,.2f}')


def main(path):
    with open(path, newline='') as file:
        print_table(sum_by_region(csv.DictReader(file)))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('usage: report.py SALES.csv')
    main(sys.argv[1])
