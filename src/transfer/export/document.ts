/**
 * A JSON document written piece by piece, for people to read and compare: every member has lines of its own, a blank deeper
 * with every level. Nothing is held but the piece that is being written.
 */

interface Document {
  member(name: string, value: unknown): void;
  /** A list under a name; what `of` gives null for is left out. */
  list<T>(name: string, things: Iterable<T>, of: (thing: T) => Promise<unknown>): Promise<void>;
  /** A map under a name, whose members are written meanwhile. */
  map(name: string, members: () => Promise<void>): Promise<void>;
  end(): void;
}

export function createDocument(write: (text: string) => void): Document {
  let level = 0;
  let isFirst = true;
  open('{');
  return {
    member(name, value) {
      begin(name);
      write(printed(value));
    },
    async list(name, things, of) {
      begin(name);
      open('[');
      for (const thing of things) {
        const value = await of(thing);
        if (value === null) continue;
        next();
        write(printed(value));
      }
      close(']');
    },
    async map(name, members) {
      begin(name);
      open('{');
      await members();
      close('}');
    },
    end() {
      close('}');
      write('\n');
    },
  };

  function begin(name: string): void {
    next();
    write(`${JSON.stringify(name)}: `);
  }

  function next(): void {
    write(`${isFirst ? '' : ','}\n${' '.repeat(level)}`);
    isFirst = false;
  }

  function open(sign: string): void {
    write(sign);
    level++;
    isFirst = true;
  }

  function close(sign: string): void {
    level--;
    write(isFirst ? sign : `\n${' '.repeat(level)}${sign}`);
    isFirst = false;
  }

  /** No string of JSON holds a line end, so every one is of the layout. */
  function printed(value: unknown): string {
    return JSON.stringify(value, null, 1).replaceAll('\n', `\n${' '.repeat(level)}`);
  }
}
