/**
 * One message of MCP over HTTP, by the transport of the SDK.
 */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { type Answer, answer, type Call } from '../../../kernel/rest/types.ts';
import { createMcpServer } from './server.ts';

/** Of the request, what the transport reads. */
const passed = ['accept', 'content-type', 'mcp-protocol-version'] as const;

export async function answerMessage(call: Call): Promise<Answer> {
  const { headers, raw } = call.request;
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer(call);
  await server.connect(transport);
  try {
    const sent = Object.fromEntries(passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
    const body = new Uint8Array(raw ?? []);
    const response = await transport.handleRequest(new Request('http://localhost/mcp', { method: 'POST', headers: sent, body }));
    const text = await response.text();
    return answer(text === '' ? undefined : JSON.parse(text), { status: response.status });
  } finally {
    await server.close();
  }
}
