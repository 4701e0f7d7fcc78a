# SPDX-License-Identifier: MIT
# For test/real/switch: python's multiprocessing.  Processes of a pool read records of a file, each through a
# descriptor of its own, at places that the parent names.
import multiprocessing
import os
import random
import sys
import time

SIZE = 64
own = None

def begin(path):
    global own
    own = open(path, "rb", buffering=0)


def check(places):
    for place in places:
        own.seek(place * SIZE)
        if own.read(SIZE) != b"%063d\n" % place or own.tell() != (place + 1) * SIZE:
            return place
    return -1


def main():
    path, end = sys.argv[1], time.time() + float(sys.argv[2])
    with open(path, "wb") as f:
        for i in range(4000):
            f.write(b"%063d\n" % i)
    with multiprocessing.Pool(3, begin, (path,)) as pool:
        print("load", flush=True)
        while time.time() < end:
            jobs = [[random.randrange(4000) for _ in range(300)] for _ in range(12)]
            wrong = [r for r in pool.map(check, jobs) if r >= 0]
            if wrong:
                sys.exit("wrong at %s" % wrong)


main()
