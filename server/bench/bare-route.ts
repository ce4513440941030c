import Fastify from "fastify";
import type { Role } from "./roles.ts";

export interface BareRoute {
  /** Answers GET requests for a path with a body; gives its origin. */
  serve(path: string, body: object): Promise<string>;
}

/** One route with nothing around it, in a process of its own as the service is. */
export const bareRoute: Role<BareRoute> = () => ({
  serve: async (path, body) => {
    const app = Fastify({ logger: false });
    app.get(path, async () => body);
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
});
