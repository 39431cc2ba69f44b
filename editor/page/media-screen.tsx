/** The library as a place of its own. */
import { Library } from './media.tsx';
import type { Site } from './records.ts';
import { say } from './words.ts';

export function MediaScreen({ site }: { site: Site }) {
  return (
    <>
      <div class="head">
        <h1>{say('Media')}</h1>
      </div>
      <Library mayUpload={site.person.capabilities.upload_files === true} hasFolders={site.namespaces.includes('folders/v1')} />
    </>
  );
}
