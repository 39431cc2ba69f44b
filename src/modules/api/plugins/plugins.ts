/**
 * Plugins: the namespaces composed into this server.
 */
import type { Call } from '../../../kernel/rest/types.ts';

export interface ListedPlugin {
  /** The namespace in the dialect, with dashes for dots. */
  readonly plugin: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

export function pluginsOf({ registry, urls }: Call): readonly ListedPlugin[] {
  return registry.namespaces.map((namespace) => {
    const spelled = urls.dialect.spellRoute(`/${namespace}`).slice(1);
    const [name = '', version = ''] = spelled.split('/');
    const routes = registry.routes.filter((route) => route.namespace === namespace).length;
    return {
      plugin: spelled.replaceAll('.', '-'),
      name,
      version: version.replace(/^v/, ''),
      description: `Answers ${routes} routes below /${spelled}.`,
    };
  });
}

/** The plugin in a path, in either dialect. */
export function pluginNamed(call: Call): ListedPlugin | undefined {
  const { readRoute } = call.request.dialect;
  const wanted = readRoute(`/${call.params.plugin}`);
  return pluginsOf(call).find(({ plugin }) => readRoute(`/${plugin}`) === wanted);
}
