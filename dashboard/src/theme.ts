import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const evergreen: MantineColorsTuple = [
  "#ecf8f4",
  "#d5efe6",
  "#a9dfcd",
  "#79cdb2",
  "#4fbb99",
  "#31a684",
  "#1d8d6e",
  "#13725a",
  "#0e5a48",
  "#0a4236",
];

const red: MantineColorsTuple = [
  "#fef3f2",
  "#fee4e2",
  "#fecdca",
  "#fda29b",
  "#f97066",
  "#f04438",
  "#d92d20",
  "#b42318",
  "#912018",
  "#7a271a",
];

const gray: MantineColorsTuple = [
  "#f8f9fa",
  "#f1f3f5",
  "#e6e9ec",
  "#d7dce1",
  "#c3cad1",
  "#99a2ac",
  "#6b7581",
  "#4a5460",
  "#2f3842",
  "#1b222a",
];

const dark: MantineColorsTuple = [
  "#e6e9ec",
  "#c3c9d0",
  "#a1a9b3",
  "#79828d",
  "#3b434c",
  "#2c333b",
  "#20262c",
  "#161a1f",
  "#111418",
  "#0c0f12",
];

export const theme = createTheme({
  primaryColor: "evergreen",
  primaryShade: 7,
  colors: { evergreen, red, gray, dark },
  black: "#1b222a",
  defaultRadius: "md",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8438rem", md: "0.9375rem", lg: "1.0625rem", xl: "1.25rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.5rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  components: {
    // A complaint may quote what was typed, in which no line need end.
    InputWrapper: { styles: { error: { overflowWrap: "anywhere" } } },
    // A number that is out of bounds is refused, not changed into another.
    NumberInput: { defaultProps: { clampBehavior: "none" } },
    TextInput: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200 } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.5 },
        transitionProps: { duration: 100 },
        // A page has one banner, and a dialog's head is none.
        attributes: { header: { role: "presentation" } },
      },
    },
  },
});

/** Mantine's own secondary text is too faint to be read by everyone. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": "#5b6571",
    "--mantine-color-placeholder": "#6b7581",
    "--mantine-color-error": "#b42318",
    "--mantine-color-anchor": "#0f6650",
    "--florin-canvas": "#f6f7f8",
    "--florin-surface": "#ffffff",
    "--florin-line": "#e3e7eb",
    "--florin-hover": "#f3f5f6",
  },
  dark: {
    "--mantine-color-body": "#161a1f",
    "--mantine-color-dimmed": "#a1a9b3",
    "--mantine-color-placeholder": "#8b949e",
    "--mantine-color-error": "#fda29b",
    "--mantine-color-anchor": "#79cdb2",
    "--florin-canvas": "#0f1215",
    "--florin-surface": "#161a1f",
    "--florin-line": "#2a3037",
    "--florin-hover": "#1d2228",
  },
});
