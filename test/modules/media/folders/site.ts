/** A site with folders, written by hand. */
import { dedent } from '../../../support/dedent.ts';

export const files = {
  'site.yaml': dedent`
    name: Quay
    timezone: UTC
    deployment: extended
  `,
  'media-folders/shared.yaml': dedent`
    last_id: 12
    folders:
      - id: 3
        name: Brand
        parent: 0
        ord: 0
      - id: 7
        name: Logos
        parent: 3
        ord: 0
        color: "#ff8800"
      - id: 9
        name: Press
        parent: 0
        ord: 1
  `,
  'media/2026/03/a.txt': 'a file',
  'media/2026/03/a.txt.yaml': dedent`
    id: 60
    title: A
    folder: 3
  `,
  'media/2026/03/b.txt': 'another',
  'media/2026/03/b.txt.yaml': dedent`
    id: 61
    title: B
    folder: 7
  `,
  'media/2026/03/c.txt': 'one more',
  'media/2026/03/c.txt.yaml': dedent`
    id: 62
    title: C
  `,
};

export const users = ['editor', 'author', 'contributor', 'subscriber'];
