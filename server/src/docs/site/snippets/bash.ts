import { quote } from "../shared/curl.ts";
import type { Call } from "./call.ts";

/** The call for bash or zsh, with curl and openssl. */
export function bashSnippet({ apiUrl, identityUrl, method, target, body }: Call): string {
  const hasBody = body !== undefined;
  return [
    "# Needs CLIENT_ID, CLIENT_SECRET and UNIQUE_KEY.",
    `method=${method}`,
    `url=${quote(`${apiUrl}${target}`)}`,
    ...(hasBody ? [`body=${quote(JSON.stringify(body, null, 2))}`] : []),
    "reference=$(openssl rand -hex 10)",
    "",
    `token=$(curl -s ${quote(`${identityUrl}/connect/token`)} \\`,
    '  -u "$CLIENT_ID:$CLIENT_SECRET" \\',
    "  -d grant_type=client_credentials |",
    `  sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`,
    "",
    "urlencode() {",
    "  local text=$1 encoded= i c",
    `  for ((i = 0; i < \${#text}; i++)); do`,
    `    c="\${text:$i:1}"`,
    '    case "$c" in',
    "      [a-zA-Z0-9._~-]) ;;",
    `      *) printf -v c '%%%02X' "'$c" ;;`,
    "    esac",
    '    encoded="$encoded$c"',
    "  done",
    `  printf '%s' "$encoded"`,
    "}",
    "",
    'encoded=$(urlencode "$url")',
    'text="$method&$encoded&$reference&$CLIENT_ID&$CLIENT_SECRET"',
    `digest=$(printf '%s' "$text" | openssl dgst -sha1 -r)`,
    `signature=$(printf '%.40s' "$digest" | openssl base64 -A)`,
    `service=$(printf '%s' "$CLIENT_ID" | openssl base64 -A)`,
    "",
    'curl -s -X "$method" "$url" \\',
    '  -H "Authorization: Bearer $token" \\',
    '  -H "ServiceAuthorization: ServiceAuth $service" \\',
    '  -H "UniqueKey: $UNIQUE_KEY" \\',
    '  -H "Reference: $reference" \\',
    `  -H "Signature: $signature"${hasBody ? " \\" : ""}`,
    ...(hasBody ? ['  -H "Content-Type: application/json" \\', '  --data-raw "$body"'] : []),
  ].join("\n");
}
