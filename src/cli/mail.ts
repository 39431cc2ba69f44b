/**
 * `cms mail`: letters that wait, and those that no mail server took; and a test. The server sends; these commands ask it to.
 */
import type { Command } from 'commander';
import { type Operator, OperatorFault } from '../kernel/model/operator.ts';
import { newPending } from '../modules/deliveries/index.ts';
import { deliverLetter } from '../modules/mail/deliver.ts';
import { lettersIn } from '../modules/mail/index.ts';
import { documents, type LetterDelivery, type MailSettings, readLetters } from '../modules/mail/record.ts';
import { readMail } from '../modules/mail/settings.ts';
import { defineDeliveries, dirText } from './deliveries.ts';
import { failed } from './failure.ts';
import { contentPlace, email, examples } from './flags.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';

export function defineMail(command: Command, io: Io): void {
  defineDeliveries<LetterDelivery>(command, io, {
    command: 'mail',
    word: 'letter',
    documents,
    read: readLetters,
    // Not the text: it may have a link that signs in.
    members: ({ letter: { kind, to, subject } }) => ({ kind, to, subject }),
    columns: { kind: 'KIND', to: 'TO' },
  });
  const test = command
    .command('test')
    .argument('<address>', 'who gets the test', email)
    .description('send a test now, as the server would; exits with 1 if the mail server does not accept it')
    .option('--dir <dir>', dirText)
    .action(async (to: string, { dir }: { readonly dir?: string }) => {
      const settings = mailOf(operatorOf(contentPlace(dir, io), io), io);
      if (!settings) failed('no mail server is configured', 'set mail in the operator settings (docs/operations.md)');
      const refused = await deliverLetter(
        settings,
        { kind: 'test', to, ...lettersIn('en', settings.from.name || settings.from.address).test() },
        newPending(Date.now()).id,
      );
      if (refused) failed(`${settings.host}: ${refused.error}`);
      io.err(`${settings.host} accepted a letter to ${to}`);
    });
  examples(test, 'cms mail test ada@example.com --dir my-site');
  examples(command, 'cms mail list --dir my-site', 'cms mail test ada@example.com');
}

/** Null without a mail server. @throws Failure with status 1 */
export function mailOf(operator: Operator, io: Io): MailSettings | null {
  try {
    return readMail(operator.mail, io.env);
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    return failed(error.message, 'docs/operations.md describes mail', error);
  }
}
