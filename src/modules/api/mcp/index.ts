/**
 * The Model Context Protocol as a module: at `/mcp`, where the operator allows it.
 */
import type { Module } from '../../../kernel/module.ts';
import { mcpRoute } from './routes.ts';

export const mcp: Module = {
  name: 'mcp',
  routeAddresses: ({ operator }): Readonly<Record<string, string>> => (operator.mcp ? { '/mcp': '/mcp' } : {}),
  namespaces: ({ operator }) => (operator.mcp ? [{ name: '', routes: [mcpRoute] }] : []),
};
