import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedName } from '../../../../src/modules/media/library/plan.ts';
import {
  cleanFileName,
  fileNameOfDisposition,
  titleOfFile,
  uniqueName,
  withLowerExtension,
} from '../../../../src/modules/media/files/names.ts';
import { checkPath } from '../../../../src/kernel/store/paths.ts';

describe('cleanFileName', () => {
  it.each([
    ['Tiny Picture.png', 'Tiny-Picture.png'],
    ['../../etc/passwd.jpg', 'passwd.jpg'],
    ['C:\\temp\\a.gif', 'a.gif'],
    ['a%20b+c.jpg', 'a-bc.jpg'],
    ['%20a %20 +b%20%25.jpg', 'a-b-25.jpg'],
    ['a\u00a0b.jpg', 'a-b.jpg'],
    ['Æsir, Œuvre & Việt.jpg', 'AEsir-OEuvre-Viet.jpg'],
    ['_.jpg', 'unnamed-file.jpg'],
    ['U\u0308ni йод.jpg', 'Uni-йод.jpg'],
    ['Grüße & Küsse.jpg', 'Gruse-Kusse.jpg'],
    ['shell.php.jpg', 'shell.php_.jpg'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['..hidden.jpg', 'hidden.jpg'],
    ['a...b.jpg', 'a.b.jpg'],
    ['what?.jpg', 'what.jpg'],
    ['jpg', 'unnamed-file.jpg'],
    ['日本.jpg', '日本.jpg'],
    ['', ''],
    ['???', ''],
  ])('%s → %s', (name, expected) => expect(cleanFileName(name)).toBe(expected));

  it('makes a valid file name of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const clean = cleanFileName(`${name}.jpg`);
        if (clean !== '') checkPath(`media/2026/01/${clean}.yaml`);
        expect(clean).not.toMatch(/[/\\\s]/);
      }),
    );
  });
});

describe('uniqueName', () => {
  it.each([
    ['a free name', 'a.png', [], 'a.png'],
    ['one that is taken', 'a.png', ['a.png'], 'a-1.png'],
    ['twice', 'a.png', ['a.png', 'a-1.png'], 'a-2.png'],
    ['in other case', 'A.PNG', ['a.png'], 'A-1.png'],
    ['that reads as a size', 'wide-300x200.jpg', [], 'wide-300x200-1.jpg'],
    ['whose sizes are there', 'a.jpg', ['a-150x150.jpg'], 'a-1.jpg'],
    ['like an edited one', 'strip-edited.png', ['strip-edited.png', 'strip-edited-1.png'], 'strip-edited-2.png'],
  ])('%s', (_, name, taken, expected) => expect(uniqueName(name, new Set(taken))).toBe(expected));
});

/** UTF-8 as a header that says nothing of it is read: a character for each byte. */
function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

it.each([
  ['café.png', 'café'],
  ['../Grüße & Küsse.JPG', 'Grüße-Küsse'],
  ['新しい写真.png', '新しい写真'],
])('%s is named %s', (name, expected) => expect(titleOfFile(name)).toBe(expected));

it.each([
  ['UPPER.PNG', 'UPPER.png'],
  ['a.tar.GZ', 'a.tar.gz'],
  ['README', 'README'],
])('%s is stored as %s', (name, expected) => expect(withLowerExtension(name)).toBe(expected));

it.each([
  ['attachment; filename="Tiny Picture.png"', 'Tiny Picture.png'],
  ['attachment; filename=a.png', 'a.png'],
  ["attachment; filename*=UTF-8''%C3%A4.png", 'ä.png'],
  ['attachment; filename="a;b.png"', 'a;b.png'],
  ['attachment; filename="a \\"b\\".png"', 'a "b".png'],
  ['attachment; filename="a.png"; filename*=UTF-8\'\'%C3%A4.png', 'ä.png'],
  ["attachment; FileName*=iso-8859-1'de'%E4.png; filename=a.png", 'ä.png'],
  ["attachment; filename*=UTF-8''%E4.png; filename=a.png", 'a.png'],
  ["attachment; filename*=UTF-8''%; filename=a.png", '%'],
  ['attachment; filename*=a.png; filename=b.png', 'b.png'],
  [`attachment; filename="${bytes('café.png')}"`, 'café.png'],
  [`attachment; filename=${bytes('新しい写真.png')}`, '新しい写真.png'],
  ['attachment; filename="caf\u00e9.png"', 'café.png'],
  ['attachment; filename="caf\u00e9 \u65e5.png"', 'caf\u00e9 \u65e5.png'],
  ['attachment; filename="=?UTF-8?B?Y2Fmw6kucG5n?="', 'café.png'],
  ['attachment; filename="=?utf-8?q?caf=C3=A9_au?= =?utf-8?Q?_lait.png?="', 'café au lait.png'],
  ['attachment; filename="=?iso-8859-1?Q?caf=E9.png?="', 'café.png'],
  ['attachment; filename="=?nothing?B?Y2Fm?="', '=?nothing?B?Y2Fm?='],
  ['attachment; name=foo', null],
  ['attachment', null],
])('%s names %s', (header, expected) => expect(fileNameOfDisposition(header)).toBe(expected));

it.each([
  ['strip.png', 'strip-edited.png'],
  ['strip-edited-3.png', 'strip-edited.png'],
])('an edited %s is %s', (name, expected) => expect(editedName(name)).toBe(expected));
