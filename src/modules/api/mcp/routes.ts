/**
 * MCP over HTTP (`/mcp`): the Streamable HTTP transport of the SDK, without sessions. One message is one request, signed in like every
 * other of the API, and its answer is JSON.
 *
 * Shape    messages of JSON-RPC
 * Access   whoever is signed in; each tool by its own rule, and what it asks for by the rules of its routes
 * Errors   rest_not_logged_in; those of the transport are messages of JSON-RPC
 */
import { anyone, answer, CREATE, type Route } from '../../../kernel/rest/types.ts';

const notAllowed = { jsonrpc: '2.0', error: { code: -32000, message: 'Method not allowed. Send messages by POST.' }, id: null };

export const mcpRoute: Omit<Route, 'namespace'> = {
  path: '/mcp',
  isUnlisted: true,
  endpoints: [
    {
      methods: CREATE,
      args: {},
      // What a message asks for is asked of the scope when it is run.
      scopedAs: () => 'GET',
      allow: ({ user }) => (user ? null : 'rest_not_logged_in'),
      // The SDK is read when it is needed: most servers never do.
      handle: async (call) => (await import('./message.ts')).answerMessage(call),
    },
    // There is no stream to listen to, and no session to end.
    { methods: ['GET', 'DELETE'], args: {}, allow: anyone, handle: () => answer(notAllowed, { status: 405 }) },
  ],
};
