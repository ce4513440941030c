/**
 * Who may import whom. Features use each other through their service; rules and operations stay pure;
 * nothing below knows anything above.
 */
const below = {
  foundation: [],
  db: ["foundation"],
  keys: ["foundation", "db"],
  references: ["foundation", "db"],
  ledger: ["foundation", "db"],
  engine: ["foundation", "db", "references", "ledger"],
  outbound: ["foundation"],
};

/** Features in the order of who may build on whom: each knows those before it and none after it. */
const features = ["transactions", "cards", "controls", "authorization", "clearing", "network"];

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...Object.entries(below).map(([folder, allowed]) => ({
      name: `${folder}-stays-below`,
      severity: "error",
      from: {
        path: `^server/src/${folder}/`,
        // Routes are the HTTP face of a folder, not part of what others build on.
        pathNot: "(routes|\\.test)\\.ts$",
      },
      to: { path: "^server/src/", pathNot: `^server/src/(${[folder, ...allowed].join("|")})/` },
    })),
    ...features.slice(0, -1).map((feature, index) => ({
      name: `${feature}-knows-nothing-after-it`,
      severity: "error",
      // A service or a route may show what others know; what they build on must not.
      from: { path: `^server/src/${feature}/`, pathNot: "(routes|service|\\.test)\\.ts$" },
      to: { path: `^server/src/(${features.slice(index + 1).join("|")})/` },
    })),
    {
      name: "routes-are-for-wiring",
      comment: "Only the API's and the dashboard's composition and the wiring know routes.",
      severity: "error",
      from: {
        path: "^server/src/",
        pathNot: "^server/src/(api|wiring|dashboard/dashboard)\\.ts$|\\.test\\.ts$",
      },
      to: { path: "^server/src/.+/routes\\.ts$" },
    },
    {
      name: "not-to-test",
      severity: "error",
      from: { path: "^server/src/", pathNot: "\\.test\\.ts$" },
      to: { path: "\\.test\\.ts$|^server/test/" },
    },
    {
      name: "sdk-stands-alone",
      comment: "It runs wherever fetch is: nothing of Node, no package, nothing of the service.",
      severity: "error",
      from: { path: "^sdk/src/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: "^sdk/src/" },
    },
    {
      name: "cli-is-a-client",
      comment: "It reaches the service over HTTP, through the SDK, as any other client does.",
      severity: "error",
      from: { path: "^cli/src/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|dashboard)/|^sdk/src/(?!index\\.ts$)" },
    },
    {
      name: "dashboard-takes-types-from-the-sdk",
      comment:
        "What the API answers is written once; none of the SDK's script goes to the browser.",
      severity: "error",
      from: { path: "^dashboard/src/" },
      to: { path: "^(server|cli|sdk)/", dependencyTypesNot: ["type-only"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "declared",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    combinedDependencies: true,
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["florin-source", "import", "node", "types"],
    },
  },
};
