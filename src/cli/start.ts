/**
 * `cms start`, which is what `npm start` runs: the sample site, with somebody to sign in as from the first run on.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { makeAdministrator } from './new-site.ts';
import type { Site } from '../kernel/site/site.ts';
import { hasEditor } from '../modules/website/editor-page/index.ts';
import { neutral } from '../kernel/rest/dialect.ts';
import { contentFolder, examples } from './flags.ts';
import { type Io, paint } from './io.ts';
import { type ServeOptions, serve, serveOptions } from './serve.ts';

/** Login of the administrator that the first run creates. */
export const login = 'demo';

export function defineStart(command: Command, io: Io): void {
  serveOptions(command).action(async (options: ServeOptions) => {
    const dir = contentFolder(resolve(io.cwd, 'content'), io);
    await serve(dir, options, io, async (site, address, say) => {
      // Those are told of, with the command that takes them over.
      if (((await site.store.private.inspect?.()) ?? []).length > 0) return;
      if (site.accounts.all().length > 0) {
        say(`  to create a new application password: cms password create ${site.accounts.all()[0]?.login}`);
        return;
      }
      const password = await makeAdministrator(site.accounts, {
        id: await site.ownId('users'),
        login,
        email: 'demo@example.com',
        passwordName: 'cms start',
      });
      say('');
      say(`First run: sign in as ${paint(io, 'err', 'bold', login)} with this application password, shown only once:`);
      say('');
      say(`  ${paint(io, 'err', 'bold', password)}`);
      say('');
      const account = site.accounts.byLogin(login);
      if (account && hasEditor(site)) {
        say('To write in a browser, choose a login password with this link, which works once, for a week:');
        say('');
        say(`  ${await site.invitations.linkFor(account, site.url)}`);
        say('');
      }
      for (const line of requests(`${address}${neutral.root}/cms/v2`, password, firstPost(site))) say(line);
    });
  });
  examples(command, 'npm start', 'cms start --port 8080');
}

/** Three requests to try: list, create, and a change that `git diff` shows. Each is one line to paste. */
export function requests(
  base: string,
  password: string,
  post: { readonly id: number; readonly path: string } | undefined,
): string[] {
  const write = `curl -u '${login}:${password}' -H 'Content-Type: application/json'`;
  const steps: readonly (readonly [string, string])[] = [
    ['List the latest posts:', `curl '${base}/posts?per_page=3&_fields=id,slug,title.rendered'`],
    [
      'Create a post, which becomes a file:',
      `${write} -d '{"title":"First words","content":"Written over **REST**.","status":"publish"}' '${base}/posts?_fields=id,link'`,
    ],
    ...(post
      ? [
          [
            `Change the title of content/${post.path} and see what changes in the file:`,
            `${write} -d '{"title":"Another title"}' '${base}/posts/${post.id}?_fields=id,title.raw' && git diff content/${post.path}`,
          ] as const,
        ]
      : []),
  ];
  return steps.flatMap(([sentence, line]) => [sentence, '', `  ${line}`, '']);
}

function firstPost(site: Site): { readonly id: number; readonly path: string } | undefined {
  const where = [
    { kind: 'in', index: 'type', values: ['post'] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ] as const;
  return site.posts.query({ where, sort: { by: 'date', direction: 'asc' }, offset: 0, limit: 1 }).records[0];
}
