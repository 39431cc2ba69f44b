/**
 * `cms images`: addresses of pictures in sizes of their own, for sites whose `site.yaml` says `images: {signed: true}`.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { makeKey, signed } from '../modules/media/transforms/index.ts';
import { openContent } from '../open-content.ts';
import { contentPlace, examples } from './flags.ts';
import type { Io } from './io.ts';
import { operatorOf } from './operator.ts';
import { isUrl } from '../kernel/model/addresses.ts';

interface SignFlags {
  readonly dir?: string;
  readonly widths?: readonly number[];
}

export function defineImages(command: Command, io: Io): void {
  const sign = command
    .command('sign')
    .argument('<url...>', 'image URLs with their parameters: https://…/uploads/cat.jpg?w=640&format=webp')
    .description('sign image URLs')
    .option('--dir <dir>', 'content folder (default: the current folder, or ./content)')
    .option('--widths <list>', 'print a srcset of these widths: 320,640,1280', widths)
    .action((urls: string[], flags: SignFlags) => runSign(urls, flags, io));
  examples(sign, "cms images sign --dir my-site 'https://example.com/uploads/2026/03/cat.jpg?w=640&format=webp'");
  const key = command
    .command('key')
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .description('print the signing key, for a front end that signs its own URLs')
    .action(async (dir: string | undefined) => io.out(await keyOf(dir, io)));
  examples(key, 'cms images key my-site');
  examples(command, 'cms images sign --dir my-site https://example.com/uploads/cat.jpg?w=640');
}

async function runSign(urls: readonly string[], { dir, widths: wanted }: SignFlags, io: Io): Promise<void> {
  const given = urls.map(address);
  const key = await keyOf(dir, io);
  for (const url of given)
    io.out(wanted ? wanted.map((width) => `${signed(at(url, width), key)} ${width}w`).join(', ') : signed(url, key));
}

async function keyOf(dir: string | undefined, io: Io): Promise<string> {
  const place = contentPlace(dir, io);
  const store = await openContent({ dir: place }, { ...operatorOf(place, io), media_store: {} });
  try {
    return await makeKey(store);
  } finally {
    await store.close();
  }
}

/** @throws InvalidArgumentError */
function address(text: string): string {
  if (isUrl(text)) return text;
  throw new InvalidArgumentError(`"${text}" is no address; write it whole: https://example.com/uploads/cat.jpg?w=640`);
}

function at(url: string, width: number): string {
  const wide = new URL(url);
  wide.searchParams.set('w', String(width));
  return wide.href;
}

function widths(text: string): readonly number[] {
  const list = text.split(',').map(Number);
  if (list.every((one) => Number.isInteger(one) && one > 0)) return list;
  throw new InvalidArgumentError('Use whole numbers of pixels with commas: 320,640,1280.');
}
