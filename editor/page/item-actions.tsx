/** What is done with items of a list. */
import { useState } from 'preact/hooks';
import { ask } from './api.ts';
import type { Action, Run } from './bulk.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Item, may, mayDo, type Person, type Taxonomy, type Type } from './records.ts';
import { Terms } from './terms.tsx';
import { say } from './words.ts';

const isIn = (item: Item, ...statuses: readonly string[]): boolean => statuses.includes(item.status);
const selfOf = ({ rest_namespace, rest_base }: Type, { id }: Item): string => `${rest_namespace}/${rest_base}/${id}`;

export function itemActions(type: Type): readonly Action<Item>[] {
  const write =
    (body: unknown) =>
    (item: Item): Promise<unknown> =>
      ask(selfOf(type, item), { method: 'POST', body });
  return [
    {
      name: say('Publish'),
      suits: (item) => mayDo(item, 'publish') && isIn(item, 'draft', 'pending', 'private'),
      run: write({ status: 'publish' }),
    },
    {
      name: say('Switch to draft'),
      suits: (item) => may(item, 'PUT') && isIn(item, 'publish', 'future', 'pending', 'private'),
      run: write({ status: 'draft' }),
    },
    { name: say('Restore'), suits: (item) => may(item, 'PUT') && isIn(item, 'trash'), run: write({ status: 'draft' }) },
    {
      name: say('Move to trash'),
      isDangerous: true,
      suits: (item) => may(item, 'DELETE') && !isIn(item, 'trash'),
      run: (item) => ask(selfOf(type, item), { method: 'DELETE' }),
    },
    {
      name: say('Delete permanently'),
      isDangerous: true,
      suits: (item) => may(item, 'DELETE') && isIn(item, 'trash'),
      question: (count) => say('Delete {count} permanently? This cannot be undone.', { count }),
      run: (item) => ask(selfOf(type, item), { method: 'DELETE', query: { force: 'true' } }),
    },
  ];
}

interface AddTermsProps {
  readonly type: Type;
  readonly taxonomies: readonly Taxonomy[];
  readonly person: Person;
  readonly those: readonly Item[];
  readonly isBusy: boolean;
  readonly run: Run<Item>;
}

/** Terms that are added to those that items have. */
export function AddTerms({ type, taxonomies, person, those, isBusy, run }: AddTermsProps) {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Readonly<Record<string, readonly number[]>>>({});
  const offered = taxonomies.filter(({ rest_base }) =>
    those.every((item) => !isIn(item, 'trash') && mayDo(item, `assign-${rest_base}`)),
  );
  const wanted = Object.entries(added).filter(([, ids]) => ids.length > 0);
  if (offered.length === 0) return null;
  const add = (): void => {
    setOpen(false);
    void run(say('Add terms'), (item) => {
      const all = wanted.map(([base, ids]) => [base, [...new Set([...((item[base] ?? []) as readonly number[]), ...ids])]]);
      return ask(selfOf(type, item), { method: 'POST', body: Object.fromEntries(all) });
    });
  };
  return (
    <>
      <Button isOff={isBusy} onClick={() => setOpen(true)}>
        {say('Add terms')}
      </Button>
      {isOpen && (
        <Dialog title={say('Add terms')} onClose={() => setOpen(false)}>
          {offered.map((taxonomy) => (
            <Terms
              key={taxonomy.slug}
              taxonomy={taxonomy}
              ids={added[taxonomy.rest_base] ?? []}
              mayAssign
              mayCreate={
                person.capabilities.manage_categories === true ||
                those.every((item) => mayDo(item, `create-${taxonomy.rest_base}`))
              }
              onChange={(ids) => setAdded((before) => ({ ...before, [taxonomy.rest_base]: ids }))}
            />
          ))}
          <Button class="main" isOff={wanted.length === 0} onClick={add}>
            {say('Add to selected')}
          </Button>
        </Dialog>
      )}
    </>
  );
}
