import { examineConfig } from "./foundation/config/config.ts";
import { allParts, readConfigFile } from "./foundation/config/files.ts";
import { type Config, configKeys } from "./foundation/config/table.ts";
import { loadTls, type Tls } from "./foundation/tls.ts";
import { loadPeers, type Peer } from "./network/gateway/peers.ts";
import { loadProgrammes } from "./programmes/load.ts";
import type { Programme } from "./programmes/programmes.ts";

/** What the service starts with: its configuration, and what the files that it names hold. */
export interface Setup {
  config: Config;
  programmes: readonly Programme[];
  peers: readonly Peer[];
  tls: Tls | undefined;
  networkTls: Tls | undefined;
}

/** Reads everything before anything is started, and tells all that is wrong at once. */
export async function readSetup(environment: Record<string, string | undefined>): Promise<Setup> {
  const { config, problems } = examineConfig(environment);
  const rules = {
    isSandbox: config.isSandbox,
    isTls: config.networkTlsCertFile !== undefined,
  };
  const [programmes, peers, tls, networkTls] = await allParts(
    [
      loadProgrammes(config.programmesFile),
      loadPeers(config.networkPeersFile, rules),
      loadTls(config, "tlsCertFile", "tlsKeyFile"),
      loadTls(config, "networkTlsCertFile", "networkTlsKeyFile"),
      ...readDatabaseFiles(config, "databaseUrl"),
      ...readDatabaseFiles(config, "databasePoolerUrl"),
    ],
    problems,
  );
  return { config, programmes, peers, tls, networkTls };
}

/** What the database's driver will read, anew for each connection. */
function readDatabaseFiles(
  config: Config,
  name: "databaseUrl" | "databasePoolerUrl",
): Promise<Buffer>[] {
  const { [name]: url } = config;
  if (url === undefined) return [];
  const { searchParams } = new URL(url);
  return ["sslrootcert", "sslcert", "sslkey"]
    .flatMap((parameter) => searchParams.get(parameter) || [])
    .map((path) => readConfigFile(configKeys[name].env, path));
}
