// Runs before the first paint, so that a dark screen never flashes white.
(() => {
  let chosen = "auto";
  try {
    chosen = localStorage.getItem("florin-color-scheme") ?? "auto";
  } catch {
    // A browser may forbid storage; the system's scheme is then used.
  }
  const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const scheme = chosen === "dark" || chosen === "light" ? chosen : prefersDark ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
})();
