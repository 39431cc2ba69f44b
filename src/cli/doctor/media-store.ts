/** The bucket that media lie in: whether it answers, takes the key, and has the same clock. */
import { MediaStoreError } from '../../modules/media/store/media-store-error.ts';
import { createObjects } from '../../modules/media/store/objects.ts';
import type { MediaStoreSettings } from '../../modules/media/store/settings.ts';
import { type DoctorFinding, judgeOf } from './finding.ts';

/** Half of what services allow. Source: AWS, "Error responses": RequestTimeTooSkewed. */
const mostSkewMs = 7.5 * 60_000;

/** @param settings  null: media lie in the folder */
export async function* lookAtMediaStore(settings: MediaStoreSettings | null, clock: () => number): AsyncIterable<DoctorFinding> {
  if (settings === null) return;
  const { ok, no } = judgeOf('media-store');
  const objects = createObjects(settings);
  try {
    const skewMs = clock() - (await objects.clock());
    if (Math.abs(skewMs) <= mostSkewMs) yield ok(`the media store answers: ${settings.bucket} at ${settings.endpoint}`);
    else
      yield no(
        `the clock is ${Math.round(Math.abs(skewMs) / 60_000)} minutes ${skewMs > 0 ? 'ahead of' : 'behind'} that of the media store, which soon refuses what is signed by it`,
        'set it from the network: timedatectl set-ntp true',
      );
  } catch (error) {
    if (!(error instanceof MediaStoreError)) throw error;
    yield no(
      `${error.message} (${settings.bucket} at ${settings.endpoint})`,
      'docs/media-store.md has the rights that the key needs',
    );
  } finally {
    objects.close();
  }
}
