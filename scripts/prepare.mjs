// Makes a fresh checkout ready to run: npm calls it before start, test, check, bench, torture and florin.
// It runs before node_modules exists, so it uses nothing but Node.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "server", "dist");
const modules = join(root, "node_modules");
const stampFile = join(modules, ".florin-stamp");
const manifests = {
  "": "package.json",
  server: "server/package.json",
  cli: "cli/package.json",
  dashboard: "dashboard/package.json",
};
const entryPoints = {
  main: "server/src/main.ts",
  "delivery-thread": "server/src/delivery-thread.ts",
  florin: "server/src/florin.ts",
  generate: "server/src/generate.ts",
  bench: "server/bench/main.ts",
  torture: "server/torture/main.ts",
};

const flags = process.argv.slice(2);
const say = (line) => console.error(`florin: ${line}`);

try {
  refuseOldNode();
  await install();
  if (flags.includes("--build")) await build();
  if (flags.includes("--build") && !flags.includes("--quiet")) await buildPage();
} catch (error) {
  say(error.message);
  process.exitCode = error.exitCode || 1;
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
}

async function install() {
  if (reasonToInstall() === undefined) return;
  const release = await lock();
  try {
    // Another process may have installed while this one waited.
    const reason = reasonToInstall();
    if (reason === undefined) return;
    say(`installing packages with npm ci, because ${reason} …`);
    await rm(stampFile, { force: true });
    // NODE_ENV=production or an omit setting would leave out the bundler or the embedded database.
    await npm(["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"]);
    await writeStamp();
  } finally {
    await release();
  }
}

function reasonToInstall() {
  if (!existsSync(modules)) return "node_modules is missing";
  if (!existsSync(join(modules, ".package-lock.json")))
    return "the last installation is unfinished";
  const wanted = readJson("package-lock.json").packages;
  const stamp = readJson("node_modules/.florin-stamp") ?? {};
  const absent = absentPackages(wanted).filter((path) => !stamp.absent?.includes(path));
  if (absent.length > 0) return `${absent[0]} is missing`;
  if (stamp.hash === hashOfManifests() || isInstalled(wanted)) return undefined;
  return "package.json or package-lock.json has changed";
}

/** Whether npm installed exactly what the lockfile asks for, be it through us or by hand. */
function isInstalled(wanted) {
  const installed = readJson("node_modules/.package-lock.json").packages;
  const isLocked = Object.entries(manifests).every(
    ([folder, manifest]) => dependencies(readJson(manifest)) === dependencies(wanted[folder]),
  );
  return (
    isLocked &&
    packagesForHere(wanted).every(
      ([path, { integrity }]) =>
        !existsSync(join(root, path)) || installed[path]?.integrity === integrity,
    )
  );
}

function dependencies(manifest = {}) {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const kinds = [dependencies, devDependencies, optionalDependencies];
  return JSON.stringify(kinds.map((kind = {}) => Object.entries(kind).sort()));
}

function absentPackages(wanted) {
  return packagesForHere(wanted)
    .map(([path]) => path)
    .filter((path) => !existsSync(join(root, path)));
}

/**
 * Those that must be here: all that are not optional, and the optional ones that bring a program
 * for this platform. Which libc they are for is left to npm.
 */
function packagesForHere(wanted) {
  return Object.entries(wanted).filter(([path, { optional, os, cpu, libc }]) => {
    if (!path.includes("node_modules/") || libc !== undefined) return false;
    const isForPlatform = os !== undefined || cpu !== undefined;
    const isForThisOne = suits(os, process.platform) && suits(cpu, process.arch);
    return isForPlatform ? isForThisOne : !optional;
  });
}

function suits(list, value) {
  if (list === undefined || list.includes(value)) return true;
  return list.every((entry) => entry.startsWith("!")) && !list.includes(`!${value}`);
}

async function writeStamp() {
  // What npm could not install although it tried must not make every start try again.
  const absent = absentPackages(readJson("package-lock.json").packages);
  await writeFile(stampFile, `${JSON.stringify({ hash: hashOfManifests(), absent })}\n`);
}

function hashOfManifests() {
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", ...Object.values(manifests)]) {
    hash.update(readFileSync(join(root, file))).update("\0");
  }
  return hash.digest("hex");
}

async function npm(args) {
  const cli = process.env.npm_execpath ?? "";
  const [command, first] = cli.endsWith("npm-cli.js") ? [process.execPath, [cli]] : ["npm", []];
  const child = spawn(command, [...first, ...args], { cwd: root, stdio: "inherit" });
  let interruption;
  // Interrupted, npm takes everything back, which lasts longer than the installation has; nobody
  // waits for that, and a half installation is recognized and replaced the next time.
  const interrupt = (signal) => {
    interruption = signal;
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), 1000).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject).on("exit", resolve);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, interrupt);
  if (interruption !== undefined) {
    const exitCode = 128 + constants.signals[interruption];
    throw Object.assign(new Error("the installation was interrupted."), { exitCode });
  }
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code}); nothing was started.`);
}

/**
 * Waits until no other living process installs. Every contender puts up a file with its pid in the
 * name and looks round; whoever sees another steps back. It lies outside node_modules, which npm
 * ci removes.
 */
async function lock() {
  await mkdir(dist, { recursive: true });
  const own = `.install-${process.pid}-${randomUUID()}`;
  for (let told = false; ; ) {
    await writeFile(join(dist, own), "", { flag: "wx" });
    const other = await otherInstaller(own);
    if (other === undefined) return () => rm(join(dist, own), { force: true });
    await rm(join(dist, own), { force: true });
    if (!told) say(`waiting for process ${other}, which installs packages …`);
    told = true;
    await sleep(200 + Math.random() * 200);
  }
}

async function otherInstaller(own) {
  for (const name of await readdir(dist)) {
    const pid = Number(/^\.install-(\d+)-/.exec(name)?.[1]);
    if (name === own || Number.isNaN(pid)) continue;
    if (isAlive(pid)) return pid;
    await rm(join(dist, name), { force: true });
  }
  return undefined;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function build() {
  const started = performance.now();
  const entries = Object.entries(entryPoints).filter(([, file]) => existsSync(join(root, file)));
  if (entries.length === 0) return;
  const esbuild = await import(pathToFileURL(join(modules, "esbuild/lib/main.js")).href);
  const common = {
    absWorkingDir: root,
    outdir: dist,
    bundle: true,
    logLevel: "warning",
    write: false,
  };
  const service = {
    ...common,
    entryPoints: Object.fromEntries(entries),
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    // For traces of errors; they name lines, and the lines are in src.
    sourcesContent: false,
  };
  const command = {
    ...service,
    entryPoints: { florin: "cli/src/florin.ts" },
    outdir: join(root, "cli", "dist"),
    // One file with all that it needs, the SDK from its sources: a command must not take long to begin.
    packages: "bundle",
    conditions: ["florin-source"],
    // Packages in the old format ask for Node's own modules in the old way.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  };
  // For programs in this folder, as those of the guides; `npm run build -w sdk` makes the package.
  const sdk = {
    ...service,
    entryPoints: { index: "sdk/src/index.ts" },
    outdir: join(root, "sdk", "dist"),
    platform: "neutral",
  };
  const docs = {
    ...common,
    entryPoints: { docs: "server/src/docs/site/browser/main.ts" },
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
  };
  const all = [service, command, sdk, docs];
  const built = await Promise.all(all.map((options) => esbuild.build(options))).catch(() => {
    throw new Error("the build failed; nothing was started.");
  });
  const outputFiles = built.flatMap((result) => result.outputFiles);
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await replace(path, contents);
  }
  if (flags.includes("--quiet")) return;
  const names = entries.map(([name]) => name).join(", ");
  const tookMs = Math.round(performance.now() - started);
  say(`built ${names} in ${relative(root, dist)} (${tookMs} ms)`);
}

/** Builds the dashboard's page with vite, which takes a while: only when something of it has changed. */
async function buildPage() {
  const page = join(root, "dashboard");
  if (!existsSync(join(page, "src"))) return;
  const hash = await hashOfPage(page);
  const output = join(page, "dist");
  const known = await readFile(join(output, ".stamp"), "utf8").catch(() => undefined);
  if (known === hash) return;
  const started = performance.now();
  say("building the dashboard's page …");
  const draft = join(dist, `.page-${process.pid}`);
  try {
    const vite = await import(pathToFileURL(join(modules, "vite/dist/node/index.js")).href);
    await vite.build({
      root: page,
      configFile: join(page, "vite.config.ts"),
      logLevel: "error",
      build: { outDir: draft, emptyOutDir: true },
    });
    await compressFiles(draft);
    await writeFile(join(draft, ".stamp"), hash);
    await rm(output, { recursive: true, force: true });
    await rename(draft, output).catch(() => cp(draft, output, { recursive: true }));
  } catch (error) {
    throw new Error(
      `the dashboard's page could not be built; nothing was started.\n${error.message}`,
    );
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  say(`built the dashboard's page (${Math.round(performance.now() - started)} ms)`);
}

async function hashOfPage(page) {
  const sources = ["src", "public"].map((name) => filesIn(join(page, name)));
  const others = ["index.html", "package.json", "vite.config.ts"].map((name) => join(page, name));
  const files = [
    ...(await Promise.all(sources)).flat(),
    ...others,
    join(root, "package-lock.json"),
  ];
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    const content = await readFile(file).catch(() => "");
    hash.update(relative(root, file)).update("\0").update(content).update("\0");
  }
  return hash.digest("hex");
}

async function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** The service sends these as they are, so that it need not compress anything. */
async function compressFiles(folder) {
  const parameters = { [zlib.BROTLI_PARAM_QUALITY]: 9 };
  const texts = (await filesIn(folder)).filter((file) => /\.(js|css|html|svg|json)$/.test(file));
  await Promise.all(
    texts.map(async (file) => {
      const content = await readFile(file);
      await writeFile(
        `${file}.br`,
        await promisify(brotliCompress)(content, { params: parameters }),
      );
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/** Whole or not at all, because the service may be starting from these files at this moment. */
async function replace(path, contents) {
  const current = await readFile(path).catch(() => undefined);
  if (current?.equals(contents)) return;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, contents);
  await rename(draft, path);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read: ${error.message}`);
  }
}
