/**
 * How a site is set up for search engines, step by step.
 *
 * Shape    flat with `status`; profiles below `json`, and 200 whatever happened
 * Access   `seo_manage_options`
 * Errors   500 with the names of members that are not as they were sent
 * Source   specification 4.11; reference of seo/v1, 3.7
 */
import { scalarText } from '../../../kernel/model/scalars.ts';
import { of } from '../../../kernel/model/schema.ts';
import { cleanText } from '../../../kernel/rest/coerce.ts';
import { answer, type Answer, type Call, CREATE, type Namespace, needs, READ } from '../../../kernel/rest/types.ts';
import { seoRoute } from '../metadata/index.ts';
import { changeOptions } from './options.ts';
import { profileArgs, readProfiles } from './profiles.ts';
import { representationArgs, storeRepresentation } from './representation.ts';

const maySetUp = needs('seo_manage_options');

/** Steps after which the site is set up. */
const allSteps = 3;
const done = { success: true, status: 200 };

export const configurationRoutes: Namespace['routes'] = (
  [
    ['site_representation', CREATE, setRepresentation, representationArgs],
    ['social_profiles', CREATE, setProfiles, profileArgs],
    ['check_capability', READ, checkCapability, { user_id: { required: true } }],
    ['enable_tracking', CREATE, setTracking, { tracking: of('boolean', 'Whether use is reported.', { required: true }) }],
    ['save_configuration_state', CREATE, setSteps, { finishedSteps: of('array', 'Steps that are done.', { required: true }) }],
    ['get_configuration_state', READ, readSteps],
  ] as const
).map(([path, methods, handle, args]) => seoRoute(`configuration/${path}`, [methods, maySetUp, handle, args]));

async function setRepresentation(call: Call): Promise<Answer | object> {
  const failures = await storeRepresentation(call);
  if (failures.length === 0) return done;
  const error = 'Some values could not be stored as they were sent.';
  return answer({ success: false, status: 500, error, failures }, { status: 500 });
}

async function setProfiles({ site, params, request }: Call): Promise<object> {
  const { options, failures } = readProfiles(params);
  if (failures.length > 0) {
    const names = failures.map((name) => request.dialect.wireName(name));
    return { json: { success: false, status: 200, error: 'Some profiles cannot be stored.', failures: names } };
  }
  await changeOptions(site, () => options);
  return { json: done };
}

/** The status of the answer is 200 in any case. */
function checkCapability(call: Call): object {
  return call.can('edit_user', Number(scalarText(call.params.user_id))) ? done : { success: false, status: 403 };
}

async function setTracking({ site, params }: Call): Promise<object> {
  await changeOptions(site, ({ tracking }) =>
    tracking === params.tracking ? {} : { tracking: params.tracking, toggled_tracking: true },
  );
  return done;
}

async function setSteps({ site, params }: Call): Promise<object> {
  const steps = (params.finishedSteps as readonly unknown[]).map((one) => cleanText(scalarText(one)));
  await changeOptions(site, () => ({
    configuration_finished_steps: steps,
    ...(steps.length === allSteps ? { first_time_install: false } : {}),
  }));
  return done;
}

function readSteps({ site }: Call): object {
  return { ...done, data: site.seo.options().finishedSteps };
}
