/** Folders as CSV, out and in. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CsvError, parseCsv, printCsv } from '../../../../src/modules/media/folder-imports/csv.ts';
import { signUp, startSite, type TestSite } from '../../../support/site.ts';
import { files } from '../folders/site.ts';

const head = 'id,name,parent,type,ord,created_by,attachment_ids';

describe('folder CSV', () => {
  it.each([
    ['plain', `${head}\n3,Brand,0,0,1,2,15|22\n`, [{ id: 3, name: 'Brand', parent: 0, ord: 1, owner: 2, attachments: [15, 22] }]],
    ['with other ends of lines', `\uFEFF${head}\r\n3,"Brand",0,0,0,0,\r\n`, [{ name: 'Brand', attachments: [] }]],
    ['with a byte order mark before quotes', '\uFEFF"id",name,parent\n3,Brand,0\n', [{ id: 3, name: 'Brand' }]],
    ['with quotes', `${head}\n3,"a ""b"", c",0,0,0,0,`, [{ name: 'a "b", c' }]],
    ['with quotes that nobody doubled', `${head}\n3,"a "b" c",0,0,0,0,\n`, [{ name: 'a "b" c' }]],
    ['with lines within a name', `${head}\n3,"a\nb",0,0,0,0,\n\n`, [{ name: 'a\nb' }]],
    ['with fewer columns', 'name,id,parent\nBrand,3,0\n', [{ id: 3, name: 'Brand', owner: 0 }]],
    ['with a head alone', head, []],
  ])('is accepted %s', (_what, text, rows) => {
    expect(parseCsv(text)).toMatchObject(rows);
    expect(parseCsv(text)).toHaveLength(rows.length);
  });

  it.each([
    ['', 'header'],
    [`${head},colour\n`, 'unknown column: colour'],
    ['id,name\n', 'lacks a column'],
    ['id,name,parent,id\n', 'twice'],
    [`${head}\n3,Brand,0\n`, 'Row 2 has 3 cells, not 7'],
    [`${head}\n3,"Brand,0\n`, 'within quotes'],
    [`${head}\n${'1,x,0,0,0,0,\n'.repeat(20_001)}`, 'more than 20000'],
  ])('is rejected: %#', (text, reason) => {
    expect(() => parseCsv(text)).toThrow(reason as unknown as CsvError);
  });

  it('reads back as written', () => {
    const row = { id: '3', name: 'a "b", c\nd', parent: '0', type: '0', ord: '2', created_by: '1', attachment_ids: '15|22' };
    expect(parseCsv(printCsv([row]))).toEqual([{ id: 3, name: row.name, parent: 0, ord: 2, owner: 1, attachments: [15, 22] }]);
  });
});

describe('CSV routes', () => {
  let site: TestSite;
  let as = '';
  let author = 0;
  beforeEach(async () => {
    site = await startSite({ files });
    ({ as, id: author } = await signUp(site, 'writer', 'author'));
  });
  afterEach(() => site.close());

  async function send(path: string, text: string | null, more: Record<string, string> = {}, who = `admin:${site.password}`) {
    const form = new FormData();
    for (const [name, value] of Object.entries(more)) form.set(name, value);
    if (text !== null) form.set('file', new Blob([text], { type: 'text/csv' }), 'folders.csv');
    const headers = { authorization: `Basic ${btoa(who)}` };
    const response = await fetch(`${site.url}/cms-json/folders/v1/${path}`, { method: 'POST', headers, body: form });
    return { status: response.status, body: (await response.json()) as any };
  }
  const get = (path: string, options = {}) => site.ask('GET', `/folders/v1/${path}`, { as: 'admin', ...options });

  it('return strings, with the name quoted', async () => {
    expect((await get('export-csv')).body).toEqual({
      folders: [
        { id: '3', name: '"Brand"', parent: '0', type: '0', ord: '0', created_by: '0', attachment_ids: '60' },
        { id: '7', name: '"Logos"', parent: '3', type: '0', ord: '0', created_by: '0', attachment_ids: '61' },
        { id: '9', name: '"Press"', parent: '0', type: '0', ord: '1', created_by: '0', attachment_ids: '' },
      ],
    });
  });

  it.each([{ headers: { accept: 'text/csv' } }, {}])('return CSV on request: %j', async (options) => {
    const { headers, body } = await get(`export-csv${'headers' in options ? '' : '?format=csv'}`, options);
    expect(headers.get('content-type')).toBe('text/csv; charset=UTF-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename=folders.csv');
    expect(body).toBe(`${head}\n3,"Brand",0,0,0,0,60\n7,"Logos",3,0,0,0,61\n9,"Press",0,0,1,0,\n`);
  });

  it('show private trees only to their owners and to managers', async () => {
    await site.write(`media-folders/users/${author}.yaml`, 'folders:\n  - { id: 20, name: Mine, parent: 0, ord: 0 }\n');
    await site.write('media-folders/users/1.yaml', 'folders:\n  - { id: 21, name: Boss, parent: 0, ord: 0 }\n');
    await site.site.ingest(await site.site.store.sweep());
    const ids = async (options = {}) => (await get('export-csv', options)).body.folders.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(['3', '7', '9', '21', '20']);
    expect(await ids({ as })).toEqual(['3', '7', '9', '20']);
  });

  it('import folders, merged by name, with new ids', async () => {
    const text = `${head}\n1,"Events",0,0,1,0,60|62|999\n2,"brand",0,0,0,0,\n3,"2024",1,0,0,0,61\n4,"Lost",99,0,0,0,60\n5,"Hers",0,0,0,${author},62\n`;
    expect(await send('import-csv', text)).toEqual({ status: 200, body: { success: { mess: 'Imported 3 folders.' } } });
    const { tree } = (await get('get-folders')).body;
    expect(tree).toMatchObject([
      { id: 3, title: 'Brand', 'data-count': 0, children: [{ title: 'Logos' }] },
      { title: 'Press' },
      { title: 'Events', 'data-count': 2, children: [{ title: '2024', 'data-count': 1 }] },
    ]);
    expect(tree).toHaveLength(3);
    expect((await send('import-csv', text, { userId: String(author) })).body).toEqual({
      success: { mess: 'Imported 1 folder.' },
    });
    expect((await send('import-csv', text, { userId: '-1' })).body).toEqual({ success: { mess: 'Imported 4 folders.' } });
    expect((await get('get-folders')).body.tree).toHaveLength(4);
    expect((await send('import-csv-detail', text)).body).toEqual({ [author]: 'writer folders' });
    expect((await send('import-csv-detail', `${head}\n1,"A",0,0,0,77,\n`)).body).toEqual({});
  });

  it('accept their own output', async () => {
    const text = (await get('export-csv?format=csv')).body;
    const before = await site.read('media-folders/shared.yaml');
    expect((await send('import-csv', text)).body).toEqual({ success: { mess: 'Imported 3 folders.' } });
    expect(await site.read('media-folders/shared.yaml')).toBe(before);
  });

  it.each([
    ['no file', null, {}],
    ['an unknown column', 'id,name,parent,colour\n', {}],
    ['too large a file', `${head}\n${' '.repeat(5 * 1024 * 1024)}`, {}],
    ['bytes that are no text', `${head}\n1,"\u0000",0,0,0,0,\n`, {}],
    ['nobody in particular', `${head}\n1,"A",0,0,0,0,\n`, { userId: 'x' }],
  ])('report errors in %s, and change nothing', async (_what, text, more) => {
    const before = await site.read('media-folders/shared.yaml');
    const { status, body } = await send('import-csv', text, more);
    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: expect.any(String) } });
    if (Object.keys(more).length === 0)
      expect((await send('import-csv-detail', text)).body).toEqual({ success: false, message: expect.any(String) });
    expect(await site.read('media-folders/shared.yaml')).toBe(before);
  });

  it('import hundreds at once', async () => {
    const rows = Array.from({ length: 600 }, (_, at) => `${at + 1},"F ${at}",${at % 10 === 0 ? 0 : at},0,${at},0,60`);
    expect((await send('import-csv', `${head}\n${rows.join('\n')}\n`)).body).toEqual({
      success: { mess: 'Imported 600 folders.' },
    });
    expect((await get('get-folders')).body.tree).toHaveLength(62);
    expect((await get('get-folders')).body.attachmentsCount.actual).toMatchObject({ 7: 1 });
  });
});
