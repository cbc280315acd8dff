/** Five kinds of project, each with an hour of ordinary commands. None needs a network. `prepare` is what a person had before. */

const git = [
  'git status --short',
  'git log --oneline',
  'git diff',
  'git add -A',
  'git commit -qm work',
  'git checkout -qb topic',
  'git stash',
  'git stash pop || true',
  'git checkout -q -',
  'git merge -q topic',
  'git tag v1',
  'git show --stat HEAD',
]

const node = {
  name: 'node',
  prepare: `
    mkdir -p src test scripts lib-src && printf '{"name":"lib","version":"1.0.0","main":"i.js"}' > lib-src/package.json && echo 'exports.one = 1' > lib-src/i.js
    printf '{"name":"app","version":"1.0.0","scripts":{"build":"node scripts/build.js","test":"node --test test","clean":"rm -rf dist"}}' > package.json
    echo 'exports.f = (a) => a + 1' > src/a.js; echo 'module.exports = require("./a.js")' > src/index.js
    printf 'const fs = require("fs")\\nfs.rmSync("dist", { recursive: true, force: true })\\nfs.mkdirSync("dist")\\nfor (const f of fs.readdirSync("src")) fs.copyFileSync("src/" + f, "dist/" + f)\\n' > scripts/build.js
    printf 'const { test } = require("node:test")\\ntest("f", () => {})\\n' > test/a.test.js
    printf 'node_modules\\ndist\\n.env\\n' > .gitignore; echo KEY=1 > .env; git init -q .; git add -A; git commit -qm one`,
  // biome-ignore format: a row is a few commands.
  commands: [
    'ls -la', 'cat package.json', 'node --version', 'npm pack ./lib-src', 'npm install --offline --no-audit ./lib-1.0.0.tgz',
    'npm ls', 'npm run build', 'npm test', 'npm run clean', 'npm run build', 'node src/index.js',
    "echo 'exports.g = 2' > src/b.js", 'sed -i s/1/2/ src/a.js', 'npm test', 'rm src/b.js', 'rm -rf node_modules',
    'npm install --offline --no-audit', 'npm ci --offline --no-audit', 'npx --no-install lib || true', 'npm pkg set description=x',
    'npm version patch --no-git-tag-version', 'npm pack', 'rm app-*.tgz', 'mv src/a.js src/c.js && mv src/c.js src/a.js',
    'cp -r src src2', 'rm -rf src2', "node -e \"require('fs').writeFileSync('out.txt','x')\"", 'rm out.txt',
    "node -e \"require('fs').appendFileSync('README.md','x')\"", 'grep -rn exports src', 'find . -name "*.js" -not -path "./node_modules/*"',
    'npm cache verify', 'npm config list', 'npm root', 'git clean -nd', 'git clean -fdx -e .env', 'git checkout -- .', 'npm install --offline --no-audit',
    'rm -f package-lock.json', 'npm install --offline --no-audit', 'tar czf app.tgz src', 'rm app.tgz', 'chmod +x scripts/build.js', 'mkdir -p a/b/c && rmdir a/b/c', 'rm -rf a',
    'truncate -s 0 README.md', 'npm run build && npm test', 'du -sh .',
    ...git,
  ],
}

const python = {
  name: 'python',
  prepare: `
    mkdir -p pk tests && echo 'X = 1' > pk/__init__.py && printf 'def f(a):\\n    return a + 1\\n' > pk/core.py
    printf 'import unittest\\nfrom pk.core import f\\nclass T(unittest.TestCase):\\n    def test_f(self):\\n        self.assertEqual(f(1), 2)\\n' > tests/test_core.py; touch tests/__init__.py
    printf 'from setuptools import setup\\nsetup(name="pk", version="1", packages=["pk"])\\n' > setup.py
    printf '.venv\\n__pycache__\\nbuild\\n*.egg-info\\n' > .gitignore; git init -q .; git add -A; git commit -qm one`,
  // biome-ignore format: a row is a few commands.
  commands: [
    'ls', 'python3 --version', 'python3 -m venv .venv', '. .venv/bin/activate', 'python -m pip --version', 'python -m pip list',
    'python -m unittest', 'python -m compileall -q pk', 'python setup.py -q build', 'rm -rf build', 'python setup.py -q sdist', 'rm -rf dist pk.egg-info',
    'python setup.py -q develop', 'python -c "import pk; print(pk.X)"', 'python setup.py -q develop --uninstall', "echo 'Y = 2' >> pk/__init__.py",
    'sed -i "s/a + 1/1 + a/" pk/core.py', 'python -m unittest -q', 'find . -name __pycache__ -prune -exec rm -rf {} +', 'python -m pk.core',
    "python - <<'EOF'\nimport json, os\njson.dump({'a': 1}, open('data.json', 'w'))\nos.replace('data.json', 'data2.json')\nEOF", 'cat data2.json', 'rm data2.json',
    "python -c \"import shutil; shutil.copytree('pk', 'pk2')\"", "python -c \"import shutil; shutil.rmtree('pk2')\"", "python -c \"import tempfile; tempfile.mkdtemp()\"",
    "sqlite3 app.db 'create table t(a); insert into t values (1)'", "sqlite3 app.db 'update t set a = 2; delete from t; vacuum'", 'rm app.db',
    'python -m http.server --help > /dev/null', 'python -m zipfile -c pk.zip pk', 'python -m zipfile -e pk.zip unzipped', 'rm -r unzipped pk.zip',
    'pip freeze > requirements.txt', 'rm requirements.txt', 'mv pk/core.py pk/kernel.py', 'mv pk/kernel.py pk/core.py', 'chmod 755 setup.py',
    'python -m py_compile setup.py', 'python -m timeit -n 1 1', 'python -m json.tool < /dev/null || true', 'touch pk/new.py && rm pk/new.py', 'python -m trace --count -C cov tests/test_core.py || true', 'rm -rf cov',
    'git clean -fdx', 'git restore .', 'deactivate || true', 'python3 -m venv --clear .venv',
    ...git,
  ],
}

const c = {
  name: 'c',
  prepare: `
    mkdir -p src && for i in 1 2 3 4 5; do echo "int f$i(int x) { return x + $i; }" > src/f$i.c; done; echo 'int main(void) { return 0; }' > src/main.c
    printf 'OBJECTS := $(patsubst %%.c,%%.o,$(wildcard src/*.c))\\napp: $(OBJECTS)\\n\\tcc -o $@ $^\\nclean:\\n\\trm -f app src/*.o\\ninstall: app\\n\\tmkdir -p out/bin\\n\\tcp app out/bin\\n' > Makefile
    printf 'cmake_minimum_required(VERSION 3.10)\\nproject(app C)\\nfile(GLOB SOURCES src/*.c)\\nadd_executable(app $\\{SOURCES})\\n' | tr -d '\\\\' > CMakeLists.txt
    printf 'app\\n*.o\\nbuild\\nout\\n' > .gitignore; git init -q .; git add -A; git commit -qm one`,
  // biome-ignore format: a row is a few commands.
  commands: [
    'ls', 'cc --version', 'make', './app', 'make clean', 'make -j2', 'touch src/f1.c && make', 'make install', 'rm -rf out', 'make clean',
    'cmake -S . -B build', 'cmake --build build', './build/app', 'cmake --build build --target clean', 'rm -rf build', 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug', 'make -C build',
    'cc -g -o app src/*.c', 'gdb -batch -ex run ./app', 'nm app > symbols.txt', 'strip app', 'rm symbols.txt', 'objdump -d app | head -3', 'ar rcs lib.a src/*.o || cc -c src/f1.c', 'rm -f lib.a f1.o',
    "echo 'int g(void) { return 1; }' > src/g.c", 'make', 'rm src/g.c', 'sed -i s/x/y/g src/f2.c', 'make', 'cp src/f2.c src/f2.c.orig', 'mv src/f2.c.orig src/f2.c', 'patch --version',
    'git diff > change.patch', 'git checkout -- src', 'git apply change.patch || true', 'rm change.patch', 'tar czf src.tgz src', 'mkdir x && tar xzf src.tgz -C x', 'rm -rf x src.tgz',
    'find . -name "*.o" -delete', 'valgrind --version || true', 'cc -E src/main.c -o main.i', 'rm main.i', 'ln -s src s && rm s', 'dd if=/dev/zero of=disk.img bs=1k count=64 status=none', 'rm disk.img', 'make clean',
    ...git,
  ],
}

const rust = {
  name: 'rust',
  prepare: `
    mkdir -p src tests && printf '[package]\\nname = "app"\\nversion = "0.1.0"\\nedition = "2021"\\n' > Cargo.toml && echo 'pub fn f(a: u32) -> u32 { a + 1 }' > src/lib.rs
    echo 'fn main() { println!("{}", app::f(1)); }' > src/main.rs; printf '#[test]\\nfn adds() { assert_eq!(app::f(1), 2); }\\n' > tests/adds.rs
    printf 'target\\n' > .gitignore; git init -q .; git add -A; git commit -qm one`,
  // biome-ignore format: a row is a few commands.
  commands: [
    'ls', 'cargo --version', 'cargo build --offline', 'cargo run --offline', 'cargo test --offline', 'cargo check --offline', 'cargo fmt || true', 'cargo clippy --offline || true', 'cargo build --offline --release', './target/release/app',
    'cargo clean', 'cargo build --offline', 'touch src/lib.rs && cargo build --offline', "echo '// note' >> src/lib.rs", 'cargo test --offline -q', 'cargo doc --offline --no-deps', 'cargo package --offline --allow-dirty --no-verify || true', 'rm -rf target/package', 'cargo metadata --offline --format-version 1 > meta.json', 'rm meta.json',
    'cargo tree --offline', 'cargo update --offline', 'rm Cargo.lock', 'cargo generate-lockfile --offline', 'cargo new --offline --vcs none sub', 'rm -rf sub', 'mkdir examples', "echo 'fn main() {}' > examples/e.rs", 'cargo run --offline --example e', 'rm -r examples',
    'sed -i "s/a + 1/1 + a/" src/lib.rs', 'cargo test --offline -q', 'rustc --version', 'rustc -o one src/main.rs --extern app=target/debug/libapp.rlib || true', 'rm -f one', 'cp -r src old', 'diff -r src old', 'rm -rf old', 'mv src/lib.rs src/l.rs && mv src/l.rs src/lib.rs', 'cargo build --offline',
    'du -sh target', 'rm -rf target', 'cargo build --offline', 'git clean -fdx', 'cargo check --offline', 'cat Cargo.toml', 'cargo version -v', 'cargo clean',
    ...git,
  ],
}

const java = {
  name: 'java',
  prepare: `
    mkdir -p src/main/java/app src/main/resources && printf 'package app;\\npublic class Main { public static void main(String[] a) { System.out.println(1); } }\\n' > src/main/java/app/Main.java
    echo key=1 > src/main/resources/app.properties; printf 'out\\n*.jar\\n' > .gitignore; git init -q .; git add -A; git commit -qm one`,
  // biome-ignore format: a row is a few commands.
  commands: [
    'ls', 'java -version', 'javac -d out src/main/java/app/*.java', 'java -cp out app.Main', 'cp src/main/resources/* out/', 'jar cfe app.jar app.Main -C out .', 'java -jar app.jar', 'jar tf app.jar', 'rm app.jar', 'rm -rf out',
    'mkdir -p out && javac -d out $(find src -name "*.java")', 'java -cp out app.Main', "sed -i 's/(1)/(2)/' src/main/java/app/Main.java", 'javac -d out src/main/java/app/*.java', 'java -cp out app.Main', 'javadoc -quiet -d docs src/main/java/app/*.java || true', 'rm -rf docs', 'javap -cp out app.Main', 'jshell --version || true', 'mvn -v',
    "printf 'package app;\\nclass B {}\\n' > src/main/java/app/B.java", 'javac -d out src/main/java/app/*.java', 'rm src/main/java/app/B.java out/app/B.class', 'find out -name "*.class" -delete', 'javac -d out src/main/java/app/*.java', 'jar cf lib.jar -C out .', 'mkdir x && cd x && jar xf ../lib.jar && cd ..', 'rm -r x', 'unzip -q lib.jar -d y || mkdir y', 'rm -rf y lib.jar',
    'cat src/main/resources/app.properties', 'echo key=2 > src/main/resources/app.properties', 'git diff --stat', 'cp -a src backup', 'rm -rf backup', 'grep -rn class src', 'wc -l src/main/java/app/*.java', 'perl -pi -e "s/2/3/" src/main/java/app/Main.java', 'javac -d out src/main/java/app/*.java', 'java -cp out app.Main',
    'perl -e "unlink glob q(out/app/*.class)"', 'javac -d out src/main/java/app/*.java', 'touch notes.txt', 'mv notes.txt docs.txt', 'rm docs.txt', 'git checkout -- .', 'git clean -fdx', 'df -h . > /dev/null',
    ...git,
  ],
}

export const projects = [node, python, c, rust, java]
