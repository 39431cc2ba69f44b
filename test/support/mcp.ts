/** Clients of MCP as the SDK makes them. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface Called {
  /** Code of the error; undefined: none. */
  readonly error: string | undefined;
  readonly message: string | undefined;
  /** What the tool has answered. */
  readonly data: any;
  /** Every text of the result. */
  readonly texts: readonly string[];
}

export interface McpClient {
  readonly client: Client;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Called>;
  close(): Promise<void>;
}

export async function connectTo(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  // Answers are checked against the schemas that the list of tools has.
  await client.listTools();
  return {
    client,
    async call(name, args = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: { ...args } });
      const texts = (content as readonly { text: string }[]).map(({ text }) => text);
      const refused = isError ? JSON.parse(texts[0] as string) : {};
      return { error: refused.code, message: refused.message, data: structuredContent, texts };
    },
    close: () => client.close(),
  };
}

/** @param authorization  header of every request */
export function overHttp(url: string, authorization: string): Promise<McpClient> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization } } });
  return connectTo(transport as Transport);
}
