/** Settings of the site, as the server has them: those that it does not know are not here. */
import { useEffect, useState } from 'preact/hooks';
import { type Answer, ask, namespace } from './api.ts';
import { Conflicts } from './conflicts.tsx';
import { CustomField } from './custom-fields.tsx';
import type { Site } from './records.ts';
import { Button } from './button.tsx';
import { propertiesOf, type Properties } from './schema.ts';
import type { Values } from './changes.ts';
import { type Stored, useSaving } from './saving.ts';
import { say } from './words.ts';

const route = `${namespace}/settings`;

/** Which belong together; others come last. */
const groups = (): readonly { readonly title: string; readonly names: readonly string[] }[] => [
  { title: say('The site'), names: ['title', 'description', 'url', 'email', 'site_logo', 'site_icon', 'language'] },
  { title: say('Dates'), names: ['timezone', 'date_format', 'time_format', 'start_of_week'] },
  { title: say('Reading'), names: ['posts_per_page', 'show_on_front', 'page_on_front', 'page_for_posts'] },
  { title: say('Writing'), names: ['default_category', 'default_post_format', 'use_smilies'] },
  { title: say('Discussion'), names: ['default_comment_status', 'default_ping_status'] },
];

/** Of those that the server only names. */
function titleOf(name: string): string | undefined {
  const titles: Readonly<Record<string, string>> = {
    title: say('Title'),
    description: say('Tagline'),
    url: say('Address'),
    email: say('Email address'),
    timezone: say('Time zone'),
    date_format: say('Date format'),
    time_format: say('Time format'),
    start_of_week: say('Week starts on (0: Sunday)'),
    language: say('Language'),
    site_logo: say('Logo'),
    site_icon: say('Icon'),
    use_smilies: say('Convert emoticons such as :-) to pictures'),
    default_category: say('Default post category'),
    default_post_format: say('Default post format'),
    posts_per_page: say('Posts per page'),
    show_on_front: say('Front page: posts or page'),
    page_on_front: say('Front page'),
    page_for_posts: say('Posts page'),
    default_ping_status: say('Pingbacks on new posts'),
    default_comment_status: say('Comments on new posts'),
  };
  return titles[name];
}

/** What these lead to. */
const leadsTo: Readonly<Record<string, { readonly type: string; readonly to: readonly string[] }>> = {
  site_logo: { type: 'picture', to: [] },
  site_icon: { type: 'picture', to: [] },
  default_category: { type: 'relation', to: ['category'] },
  page_on_front: { type: 'relation', to: ['page'] },
  page_for_posts: { type: 'relation', to: ['page'] },
};

const storedOf = ({ data, headers }: Answer<Values>): Stored => ({ values: data, etag: headers.get('ETag') ?? '' });
const load = (): Promise<Stored> => ask<Values>(route).then(storedOf);
const write = ({ etag }: Stored, body: Values): Promise<Stored> =>
  ask<Values>(route, { method: 'POST', body, headers: { 'If-Match': etag } }).then(storedOf);

export function Settings({ site }: { site: Site }) {
  const [schema, setSchema] = useState<Properties>({});
  const { stored, values, setValues, merge, told, fault, isBusy, show, failed, decide, save } = useSaving({ write, load });
  useEffect(() => {
    Promise.all([propertiesOf(route), load()]).then(([properties, found]) => {
      setSchema(properties);
      show(found);
    }, failed);
  }, []);
  const named = groups();
  const others = Object.keys(schema).filter((name) => !named.some(({ names }) => names.includes(name)));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="head">
        <h1>{say('Settings')}</h1>
        <Button class="main" isOff={isBusy || merge !== null}>
          {say('Save')}
        </Button>
      </div>
      <p role="status">{told}</p>
      {fault !== '' && <p role="alert">{fault}</p>}
      {merge && <Conflicts merged={merge} nameOf={(name) => titleOf(name) ?? schema[name]?.title ?? name} onDecide={decide} />}
      {stored &&
        [...named, { title: say('Further settings'), names: others }].map(({ title, names }) => {
          const here = names.flatMap((name) => (schema[name] ? [[name, schema[name]] as const] : []));
          return here.length === 0 ? null : (
            <fieldset key={title}>
              <legend>{title}</legend>
              {here.map(([name, one]) => {
                const known = leadsTo[name];
                const label = titleOf(name);
                return (
                  <CustomField
                    key={name}
                    name={name}
                    schema={{ ...one, ...(label ? { title: label } : {}), ...(known ? { 'x-field': known } : {}) }}
                    value={values[name] ?? null}
                    kinds={{
                      types: [...site.types, ...Object.values(site.taxonomies)],
                      mayUpload: site.person.capabilities.upload_files === true,
                    }}
                    onChange={(value) => setValues((before) => ({ ...before, [name]: value ?? (known ? 0 : '') }))}
                  />
                );
              })}
            </fieldset>
          );
        })}
    </form>
  );
}
