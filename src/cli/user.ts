/**
 * `cms user`: the people of a site, authors and those who may sign in. A running server knows of what was taken away with its next request.
 */
import { table } from '../kernel/model/maps.ts';
import type { Command } from 'commander';
import { openFolder } from './open-folder.ts';
import type { Site } from '../kernel/site/site.ts';
import { nearest } from '../kernel/model/spelling.ts';
import { languagePairs } from '../modules/translation/jobs/index.ts';
import { addApplicationPassword } from '../modules/people/accounts/application-passwords.ts';
import {
  createUser,
  deleteUser,
  isLastAdministrator,
  setRoles,
  type UserInput,
  updateUser,
} from '../modules/people/users/plan.ts';
import { type ErrorCode, RestError } from '../kernel/errors.ts';
import { slugify } from '../kernel/model/slugs.ts';
import type { Account, UserRecord } from '../modules/people/users/record.ts';
import { systemUser } from '../modules/people/audit/index.ts';
import type { AuditEvent } from '../modules/people/audit/record.ts';
import { newPending } from '../modules/deliveries/index.ts';
import { deliverLetter } from '../modules/mail/deliver.ts';
import { lettersOf } from '../modules/mail/index.ts';
import { failed, misuse } from './failure.ts';
import { mailOf } from './mail.ts';
import { scopeInWords, scopesInWords } from '../modules/people/accounts/scope.ts';
import { contentPlace, email, login, examples, scope, url } from './flags.ts';
import { type Io, printTable } from './io.ts';

interface Options {
  readonly dir?: string;
  readonly json?: true;
  readonly email?: string;
  readonly role?: string;
  readonly name?: string;
  readonly passwordStdin?: true;
  readonly reassign?: string;
  readonly trash?: true;
  readonly force?: true;
  readonly scope?: string;
  readonly url?: string;
}

const dirOption = ['--dir <dir>', 'content folder (default: the current folder, or ./content)'] as const;

export function defineUser(command: Command, io: Io): void {
  const list = command
    .command('list')
    .description('list authors and accounts')
    .option(...dirOption)
    .option('--json', 'print JSON')
    .action((options: Options) => withSite(options.dir, io, true, async (site) => printUsers(site, options, io)));
  examples(list, 'cms user list', "cms user list --json | jq -r '.[].email'");
  const create = command
    .command('create')
    .argument('<login>', 'login name; the slug of an author without an account gives them one', login)
    .description('create an account')
    .option('--email <address>', 'email address', email)
    .option('--role <role>', 'role (default: $CMS_DEFAULT_ROLE or subscriber)')
    .option('--name <text>', 'display name (default: the login)')
    .option('--password-stdin', 'store a login password read from stdin; programs use application passwords only')
    .option(...dirOption)
    .action((name: string, options: Options) => createAccount(name, options, io));
  examples(
    create,
    'cms user create ada --email ada@example.com --role editor --name "Ada L."',
    'cms user create ada --role editor --dir my-site',
  );
  const invite = command
    .command('invite')
    .argument('<login>', 'login name; a missing account is created', login)
    .description(
      'send a link with which a person sets a password, or print it, as the last line on stdout, without a mail server; it works once, for a week',
    )
    .option('--email <address>', 'email address', email)
    .option('--role <role>', 'role of a new account (default: editor)')
    .option('--name <text>', 'display name (default: the login)')
    .option('--url <address>', 'public URL of the site, where the link leads', url)
    .option(...dirOption)
    .action((name: string, options: Options) => invitePerson(name, options, io));
  examples(
    invite,
    'cms user invite ida --email ida@example.com --name "Ida Holm" --url https://example.com',
    'cms user invite ida --url https://example.com',
  );
  const password = command
    .command('password <login>')
    .description('set the password for signing in with a browser')
    .requiredOption('--password-stdin', 'read it from stdin')
    .option(...dirOption)
    .action(async (name: string, { dir }: Options) => {
      const entered = await passwordFrom(io, `cms user password ${name}`);
      await withSite(dir, io, false, async (site) => {
        const { id, account } = userFor(site, name);
        if (!account) misuse(`${name} has no account`, `to create one: cms user create ${name}`);
        await updateUser(site, id, { password: entered });
        noteDone(site, 'change', name, { password: true });
        io.err(`${name} can sign in with the new password`);
      });
    });
  examples(password, 'cms user password ada --password-stdin < file');
  const role = command
    .command('set-role <login> <role...>')
    .description("replace a user's roles")
    .option(...dirOption)
    .action((name: string, roles: readonly string[], options: Options) =>
      withSite(options.dir, io, false, async (site) => {
        for (const one of roles) checkRole(site, one);
        await setRoles(site, userFor(site, name).id, roles);
        noteDone(site, 'change', name, { roles });
        io.err(`${name} is now ${roles.join(' and ')}`);
        warnOfNone(site, options, io);
      }),
    );
  examples(role, 'cms user set-role ada administrator');
  const pairs = command
    .command('languages <login> [pairs]')
    .description('print or set the languages that a user translates between')
    .option(...dirOption)
    .action((name: string, pairs: string | undefined, options: Options) => languagesOf(name, pairs, options, io));
  examples(pairs, 'cms user languages ada', 'cms user languages ada en:de,en:fr', 'cms user languages ada none');
  const token = command
    .command('upload-token <login>')
    .description('print a token with which a page uploads images as the user (media-tools/v1); it works for at least 12 hours')
    .option(...dirOption)
    .action((name: string, options: Options) =>
      withSite(options.dir, io, false, async (site) => {
        const { mediaTools } = site as Partial<Site>;
        if (!mediaTools) misuse('media-tools/v1 is part of the extended deployment', 'set deployment: extended in site.yaml');
        const { id, account } = userFor(site, name);
        if (!account || !site.access.can(account, 'upload_files')) misuse(`${name} may not upload files`);
        io.out(mediaTools.tokens.sign(id, site.clock()));
      }),
    );
  examples(token, 'cms user upload-token ada');
  const access = command
    .command('token <login>')
    .description('create an application password with a scope and print it as the last line on stdout')
    .requiredOption('--scope <scope>', `limit it to ${scopesInWords}`, scope)
    .option('--name <text>', 'label shown in lists', 'cms user token')
    .option(...dirOption)
    .action((name: string, options: Options) =>
      withSite(options.dir, io, false, async (site) => {
        const { id, account } = userFor(site, name);
        if (!account) misuse(`${name} has no account`, `to create one: cms user create ${name}`);
        const type = options.scope?.startsWith('type:') ? options.scope.slice('type:'.length) : null;
        if (type !== null && !site.types.has(type))
          misuse(`there is no type "${type}"`, `types are ${[...site.types.keys()].join(', ')}`);
        const { password } = await addApplicationPassword(site, id, options.name as string, '', options.scope);
        noteDone(site, 'application-password', name, { scope: options.scope });
        io.err(`new application password of ${name}, shown only once; it ${scopeInWords(options.scope as string)}:`);
        io.out(password);
      }),
    );
  examples(access, 'cms user token ada --scope read', 'cms user token ada --scope build --name "static pages"');
  const reset = command
    .command('reset-factors <login>')
    .description("remove a user's authenticator app, recovery codes and passkeys, such as those of a lost phone")
    .option(...dirOption)
    .action((name: string, options: Options) => resetFactors(name, options, io));
  examples(reset, 'cms user reset-factors ada');
  const remove = command
    .command('delete <login>')
    .description('delete an account and its public profile')
    .option('--reassign <login>', "transfer the user's posts to another user")
    .option('--trash', "move the user's posts to the trash")
    .option('--force', 'delete even the last administrator')
    .option(...dirOption)
    .action((name: string, options: Options) => deleteAccount(name, options, io));
  examples(remove, 'cms user delete ada --reassign admin', 'cms user delete ada --trash');
  examples(command, 'cms user create ada --email ada@example.com --role editor');
}

function printUsers(site: Site, { json }: Options, io: Io): void {
  const people = [...site.users.all()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, slug, name, account }) => ({
      id,
      login: account?.login ?? null,
      name,
      slug,
      email: account?.email ?? null,
      roles: account?.roles ?? [],
      posts: site.posts.count('author', id),
    }));
  if (json) {
    io.out(JSON.stringify(people, null, 2));
    return;
  }
  const rows = people.map((one) => [
    String(one.id),
    one.login ?? '-',
    one.roles.join(' ') || '-',
    String(one.posts),
    one.email || '-',
    one.name,
  ]);
  for (const line of printTable(['ID', 'LOGIN', 'ROLES', 'POSTS', 'EMAIL', 'NAME'], rows)) io.out(line);
}

async function passwordFrom(io: Io, command: string): Promise<string> {
  const password = (await io.input()).replace(/\r?\n$/, '');
  if (password !== '') return password;
  return misuse('--password-stdin: stdin is empty', `redirect the password to it: ${command} --password-stdin < file`);
}

async function createAccount(wanted: string, { dir, passwordStdin, ...options }: Options, io: Io): Promise<void> {
  const password = passwordStdin ? await passwordFrom(io, 'cms user create LOGIN') : undefined;
  await withSite(dir, io, false, async (site) => {
    const login = await makeAccount(site, wanted, { ...options, password }, io);
    const where = dir === undefined ? '' : ` --dir ${dir}`;
    io.err(`  to create an application password: cms password create ${login}${where}`);
    if (password === undefined) io.err(`  to let them choose a login password: cms user invite ${login} --url https://…${where}`);
  });
}

async function invitePerson(wanted: string, { dir, url: address, ...options }: Options, io: Io): Promise<void> {
  await withSite(dir, io, false, async (site) => {
    if (address !== undefined) site.setAddress(address, 'operator');
    // Whoever may change content must not have the link lead to them.
    if (!site.letterUrl)
      misuse('the link needs the public URL of the site, which is not taken from site.yaml', 'name it with --url');
    if (!site.accounts.byLogin(wanted)) await makeAccount(site, wanted, { role: 'editor', ...options }, io);
    const account = site.accounts.byLogin(wanted) ?? failed(`${wanted} has no account`);
    noteDone(site, 'invite', account.login, {});
    const link = await site.invitations.linkFor(account, site.letterUrl);
    if (await isSent(site, account, link, io)) return;
    io.err(`send this link to ${account.login}, who sets a password with it; it works once, for a week:`);
    io.out(link);
  });
}

/** By the mail server of the operator; false if there is none, no address, or it refuses. */
async function isSent(site: Site, { login, email }: Account, link: string, io: Io): Promise<boolean> {
  const settings = mailOf(site.operator, io);
  if (!settings || email === '') return false;
  const said = lettersOf(site).invitation({ login, link });
  const refused = await deliverLetter(settings, { kind: 'invitation', to: email, ...said }, newPending(Date.now()).id);
  io.err(
    refused
      ? `${settings.host} did not accept a letter to ${email}: ${refused.error}`
      : `sent an invitation to ${email}; its link works once, for a week`,
  );
  return refused === null;
}

/** @returns the login */
async function makeAccount(
  site: Site,
  wanted: string,
  { email, role, name, password }: Pick<Options, 'email' | 'role' | 'name'> & { readonly password?: string | undefined },
  io: Io,
): Promise<string> {
  if (role !== undefined) checkRole(site, role);
  const roles = [role ?? site.operator.default_role];
  const input: UserInput = {
    roles,
    ...(email ? { email } : {}),
    ...(name ? { name } : {}),
    ...(password === undefined ? {} : { password }),
  };
  const author = [...site.users.with('slug', slugify(wanted))]
    .map((id) => site.users.get(id))
    .find((user) => user && !user.account);
  if (author) await updateUser(site, author.id, input);
  else await createUser(site, { login: wanted, ...input });
  const { login } = site.accounts.byLogin(wanted) ?? { login: wanted };
  noteDone(site, 'create', login, { roles });
  io.err(`${login} can sign in as ${roles[0]}${author ? `, with the profile ${author.path}` : ''}`);
  return login;
}

/** @param given  `en:de,en:fr`; `none` takes them all */
async function languagesOf(name: string, given: string | undefined, { dir }: Options, io: Io): Promise<void> {
  await withSite(dir, io, given === undefined, async (site) => {
    const { languages } = site as Partial<Site>;
    if (!languages) misuse('languages are part of the extended deployment', 'set deployment: extended in site.yaml');
    const person = userFor(site, name);
    if (!person.account) misuse(`${name} has no account`, `cms user create ${name}`);
    if (given === undefined) {
      for (const [source, targets] of Object.entries(languagePairs(person)))
        for (const one of targets) io.out(`${source}:${one}`);
      return;
    }
    const pairs: Record<string, string[]> = {};
    for (const pair of given === 'none' ? [] : given.split(',')) {
      const [source = '', target = ''] = pair.trim().split(':');
      if (!languages.of(source) || !languages.of(target) || source === target)
        misuse(
          `"${pair}" is not a pair of the site's languages`,
          `write it as en:de; languages are ${languages.codes.join(', ')}`,
        );
      pairs[source] = [...(pairs[source] ?? []), target];
    }
    const { language_pairs: _, ...meta } = person.account.meta;
    await updateUser(site, person.id, { privateMeta: given === 'none' ? meta : { ...meta, language_pairs: pairs } });
    io.err(given === 'none' ? `${name} translates no languages` : `${name} translates ${given}`);
  });
}

async function resetFactors(name: string, { dir }: Options, io: Io): Promise<void> {
  await withSite(dir, io, false, async (site) => {
    const { id, account } = userFor(site, name);
    if (!account) misuse(`${name} has no account`, `to create one: cms user create ${name}`);
    let had = '';
    await site.accounts.change(id, (known) => {
      const { passkeys, secondFactor } = known;
      const count = passkeys.length === 1 ? '1 passkey' : `${passkeys.length} passkeys`;
      had = [...(secondFactor ? ['an authenticator app'] : []), ...(passkeys.length > 0 ? [count] : [])].join(' and ');
      return had === '' ? known : { ...known, passkeys: [], secondFactor: null };
    });
    if (had === '') return io.err(`${name} has no authenticator app and no passkeys`);
    noteDone(site, 'reset-factors', name);
    io.err(`removed ${had} of ${name}, who can sign in with the login password alone`);
  });
}

async function deleteAccount(name: string, { dir, reassign, trash, force }: Options, io: Io): Promise<void> {
  if (reassign !== undefined && trash) misuse('--reassign cannot be combined with --trash');
  await withSite(dir, io, false, async (site) => {
    const person = userFor(site, name);
    if (!force && (await isLastAdministrator(site, person.id)))
      misuse(
        `${name} is the last administrator`,
        `create another one first, or add --force: cms user create LOGIN --role administrator${dir === undefined ? '' : ` --dir ${dir}`}`,
      );
    const posts = site.posts.count('author', person.id);
    if (posts > 0 && reassign === undefined && !trash) {
      misuse(`${name} is the author of ${posts} ${posts === 1 ? 'item' : 'items'}`, 'choose --reassign LOGIN or --trash');
    }
    const newAuthor = reassign === undefined ? null : userFor(site, reassign);
    if (newAuthor?.id === person.id) misuse(`--reassign ${reassign} names the user to be deleted`);
    await deleteUser(site, person.id, newAuthor?.id ?? null);
    noteDone(site, 'delete', name);
    io.err(
      `deleted ${name}${posts === 0 ? '' : newAuthor ? `; ${posts} of their items now belong to ${newAuthor.name}` : `; ${posts} of their items moved to the trash`}`,
    );
    warnOfNone(site, { dir }, io);
  });
}

function noteDone(site: Site, event: string, on: string, more: Partial<AuditEvent> = {}): void {
  site.audit.note({ event, by: systemUser(), on, ...more });
}

function warnOfNone(site: Site, { dir }: Options, io: Io): void {
  const people = site.accounts.all();
  if (people.some(({ roles }) => roles.includes('administrator'))) return;
  const how = people.length > 0 ? `set-role ${people[0]?.login} administrator` : 'create LOGIN --role administrator';
  io.err(`  the site no longer has an administrator; to make one: cms user ${how}${dir === undefined ? '' : ` --dir ${dir}`}`);
}

/** By login, email address or, for authors without an account, by slug. @throws Failure with status 1 */
function userFor(site: Site, name: string): UserRecord {
  const id = site.accounts.byLogin(name)?.id ?? [...site.users.with('slug', slugify(name))][0];
  const person = id === undefined ? undefined : site.users.get(id);
  if (person) return person;
  const meant = nearest(
    name,
    [...site.users.all()].map(({ account, slug }) => account?.login ?? slug),
  );
  return failed(`no user named "${name}"`, meant ? `did you mean ${meant}?` : 'cms user list shows all users');
}

function checkRole(site: Site, role: string): void {
  if (site.access.roles.has(role)) return;
  const names = [...site.access.roles.keys()];
  const meant = nearest(role, names);
  misuse(`unknown role "${role}"`, meant ? `did you mean ${meant}?` : `roles are ${names.join(', ')}`);
}

/** What a refusal of the interface is about, on the command line. */
const flagsOf: Readonly<Partial<Record<ErrorCode, string>>> = table({
  existing_user_login: 'LOGIN',
  user_login_too_long: 'LOGIN',
  user_nicename_too_long: 'LOGIN',
  rest_user_invalid_username: 'LOGIN',
  existing_user_email: '--email',
  rest_user_invalid_email: '--email',
});

async function withSite(
  named: string | undefined,
  io: Io,
  readOnly: boolean,
  work: (site: Site) => void | Promise<void>,
): Promise<void> {
  const dir = contentPlace(named, io);
  const site = await openFolder(dir, io, { readOnly });
  try {
    await work(site);
    await site.accounts.settle();
  } catch (error) {
    const flag = error instanceof RestError ? flagsOf[error.code] : undefined;
    if (error instanceof RestError) failed(`${flag === undefined ? '' : `${flag}: `}${error.message}`, undefined, error);
    throw error;
  } finally {
    await site.close();
  }
}
