'use strict';
/**
 * Runs a workflow by n8n's own engine (`n8n-core`), with the nodes of `n8n-nodes-base` as they were published. What stands in here for the rest of n8n
 * is the store of credentials: it has those of the test, and adds them to requests as the credential's class declares.
 *
 * Standard input: `{folder, credentials, nodes, offered}`, with `nodes` one after another, each with its parameters; `offered` names lists that the node
 * offers in its form. File descriptor 3: the items or the error of each node, and those lists.
 */
const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { json } = require('node:stream/consumers');

const plain = 'n8n-nodes-base';

async function run({ folder, credentials, nodes, offered }) {
  const load = createRequire(join(folder, 'package.json'));
  const { ICredentialsHelper, Workflow } = load('n8n-workflow');
  const { ExecutionLifecycleHooks, LoadOptionsContext, WorkflowExecute } = load('n8n-core');
  const { ManualTrigger } = load(`${plain}/dist/nodes/ManualTrigger/ManualTrigger.node.js`);
  const { Wordpress } = load(`${plain}/dist/nodes/Wordpress/Wordpress.node.js`);
  const { WordpressApi } = load(`${plain}/dist/credentials/WordpressApi.credentials.js`);
  const types = new Map([
    [`${plain}.manualTrigger`, new ManualTrigger()],
    [`${plain}.wordpress`, new Wordpress()],
  ]);
  const api = new WordpressApi();

  /** Of an object, every text that is an expression over the credentials. */
  const filled = (value) => {
    if (typeof value === 'string')
      return value.replace(/^=\{\{\s*\$credentials\??\.(\w+)\s*\}\}/, (_, name) => credentials[name]);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]));
  };
  class OwnCredentials extends ICredentialsHelper {
    getParentTypes = () => [];
    isCredentialUsableByNode = () => true;
    authenticate = async (_, __, request) => ({ ...request, ...filled(api.authenticate.properties) });
    preAuthentication = async () => undefined;
    runPreAuthentication = async () => undefined;
    getDecrypted = async () => credentials;
    getCredentialsProperties = () => api.properties;
  }

  const drawn = [
    { name: 'Begin', type: 'manualTrigger', parameters: {} },
    ...nodes.map((one) => ({ type: 'wordpress', ...one })),
  ].map(({ type, ...node }, at) => ({
    id: String(at),
    type: `${plain}.${type}`,
    typeVersion: 1,
    position: [at * 200, 0],
    credentials: { [api.name]: { id: '1', name: 'Site' } },
    ...node,
  }));
  const connections = Object.fromEntries(
    drawn.slice(1).map(({ name }, at) => [drawn[at].name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
  );
  const data = { id: '1', name: 'Site', nodes: drawn, connections, active: false, settings: { executionOrder: 'v1' } };
  const nodeTypes = {
    getByName: (name) => types.get(name),
    getByNameAndVersion: (name) => types.get(name),
    getKnownTypes: () => ({}),
  };
  const workflow = new Workflow({ ...data, nodeTypes });
  const context = {
    credentialsHelper: new OwnCredentials(),
    hooks: new ExecutionLifecycleHooks('manual', '1', data),
    executionId: '1',
    currentNodeExecutionIndex: 0,
    formWaitingBaseUrl: 'http://127.0.0.1/form',
    webhookWaitingBaseUrl: 'http://127.0.0.1/webhook',
  };
  const lists = {};
  for (const name of offered)
    lists[name] = await types
      .get(`${plain}.wordpress`)
      .methods.loadOptions[name].call(new LoadOptionsContext(workflow, drawn[1], context, ''));
  const done = await new WorkflowExecute(context, 'manual').run({ workflow });
  const answers = Object.entries(done.data.resultData.runData).map(([name, [{ data: made, error }]]) => [
    name,
    error
      ? { error: { message: error.message, status: Number(error.httpCode), says: error.description } }
      : made.main[0].map((item) => item.json),
  ]);
  return { lists, answers: Object.fromEntries(answers) };
}

json(process.stdin)
  .then(run)
  .then((answer) => {
    writeFileSync(3, JSON.stringify(answer));
    // What n8n keeps open would keep this open.
    process.exit(0);
  });
