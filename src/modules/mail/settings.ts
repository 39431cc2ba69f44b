/**
 * The operator's `mail:`, the mail server of this site. Content has no say in it: neither the server nor the sender.
 */
import { environment } from '../../kernel/environment.ts';
import { table } from '../../kernel/model/maps.ts';
import { OperatorFault } from '../../kernel/model/operator.ts';
import { isMailbox, type MailSettings, securities } from './record.ts';

type Row = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;

const keys = ['host', 'port', 'security', 'user', 'password_env', 'from'];
const ports = table({ starttls: 587, tls: 465, none: 25 });

/** Null without a mail server. @throws OperatorFault */
export function readMail(given: Row, env: Environment = environment): MailSettings | null {
  if (Object.keys(given).length === 0) return null;
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) refuse(unknown, `is not one of ${keys.join(', ')}`);
  const { host } = given;
  if (typeof host !== 'string' || !/^[\w.:-]+$/.test(host)) refuse('host', 'is not the name of a mail server');
  const security =
    securities.find((one) => one === (given.security ?? 'starttls')) ??
    refuse('security', `is not one of ${securities.join(', ')}`);
  const port = given.port ?? ports[security];
  if (!Number.isInteger(port) || Number(port) < 1 || Number(port) > 65_535) refuse('port', 'is not a port');
  const login = loginOf(given, env);
  if (login && security === 'none' && !/^(?:localhost|127\..+|::1)$/.test(host))
    refuse('security', 'is none: a password would be readable on its way. Use starttls or tls');
  return { host, port: Number(port), security, login, from: senderOf(given.from) };
}

function loginOf({ user, password_env: named }: Row, env: Environment): MailSettings['login'] {
  if (user === undefined && named === undefined) return null;
  if (typeof user !== 'string' || user === '') refuse('user', 'is missing');
  if (typeof named !== 'string' || !/^[A-Za-z_]\w*$/.test(named))
    refuse('password_env', 'is not the name of an environment variable');
  return { user, pass: env[named] || refuse('password_env', `names ${named}, which is not set`) };
}

/** `cms@example.com` or `Harbour Notes <cms@example.com>`. */
function senderOf(given: unknown): MailSettings['from'] {
  const text = typeof given === 'string' ? given.trim() : '';
  const [, name = '', inside] = /^([^<>\p{C}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const address = inside ?? text;
  if (!isMailbox(address)) refuse('from', 'is not an email address, such as "Harbour Notes <cms@example.com>"');
  return { name: name.trim(), address };
}

function refuse(key: string, why: string): never {
  throw new OperatorFault('mail', `mail.${key} ${why}`);
}
