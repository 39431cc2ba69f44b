/**
 * A client of the stream of events, for tests.
 */
import { type IncomingMessage, request } from 'node:http';
import { until } from '../../support/site.ts';

export interface Message {
  readonly id: string;
  readonly data: any;
}

export interface Follower {
  readonly response: IncomingMessage;
  readonly messages: Message[];
  /** The last id it was told of. */
  readonly last: () => string;
  readonly isOver: () => boolean;
  /** The first message that fits, once it is there. */
  next(fits: (data: any) => boolean): Promise<any>;
  close(): void;
}

export interface FollowOptions {
  /** login:password */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

export async function follow(
  url: string,
  { as, headers = {}, path = '/cms-json/cms/v2/events' }: FollowOptions = {},
): Promise<Follower> {
  const authorization = as === undefined ? {} : { authorization: `Basic ${Buffer.from(as).toString('base64')}` };
  const sent = request(url + path, { agent: false, headers: { ...authorization, ...headers } }).end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
  const messages: Message[] = [];
  let last = '';
  let isOver = false;
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      last = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? last;
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      if (data !== undefined) messages.push({ id: last, data: JSON.parse(data) });
    }
  });
  response
    .on('error', () => undefined)
    .on('close', () => {
      isOver = true;
    });
  if (response.headers['content-type']?.startsWith('text/event-stream')) await until(() => last !== '');
  return {
    response,
    messages,
    last: () => last,
    isOver: () => isOver,
    next: async (fits) => (await until(() => messages.find(({ data }) => fits(data)))).data,
    close: () => sent.destroy(),
  };
}
