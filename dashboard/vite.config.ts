import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip as gzipWithCallback } from "node:zlib";
import react from "@vitejs/plugin-react";
import mantine from "postcss-preset-mantine";
import { defineConfig, type Plugin } from "vite";

const gzip = promisify(gzipWithCallback);
const brotli = promisify(brotliCompress);

/** `npx vite dashboard` serves the sources with hot reload and asks this service for everything else. */
const service = process.env.FLORIN_DASHBOARD_URL ?? "http://127.0.0.1:4002";

/** Compresses once, here, what the service would otherwise compress for everybody who asks. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
    await Promise.all(names.map((name) => compress(join(dir, name))));
  },
};

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  await writeFile(`${file}.gz`, await gzip(content));
  await writeFile(`${file}.br`, await brotli(content, { params }));
}

/** Takes each icon from its own file: through the index of the package all six thousand would be read. */
const icons: Plugin = {
  name: "icons",
  apply: "build",
  enforce: "pre",
  transform: (code) =>
    code.replace(/import \{([^}]+)\} from "@tabler\/icons-react";/g, (_, names: string) =>
      names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type "))
        .map((name) => `import ${name} from "@tabler/icons-react/dist/esm/icons/${name}.mjs";`)
        .join(" "),
    ),
};

/** Icons are crumbs; one file of them loads faster than thirty. */
const withOthers = (id: string): string | undefined =>
  id.includes("/@tabler/") ? "icons" : undefined;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [icons, react(), compressed],
  css: { postcss: { plugins: [mantine()] } },
  server: { proxy: { "/api": service, "/dashboard": service } },
  build: {
    target: "es2022",
    // Inlined files would be data: addresses, which the content security policy keeps out.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rollupOptions: { output: { manualChunks: withOthers } },
  },
});
