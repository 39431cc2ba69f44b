/**
 * What may stand in `site.yaml`: the file as it is read, `cms validate`, the settings resource and imports ask here.
 */
import { type OperatorKey, operatorSettings } from '../model/operator.ts';
import { type Remark, say } from './validate/finding.ts';

/** What is said of a key that only the operator sets; null of others. */
export function operatorRemark(key: string): Remark | null {
  if (!Object.hasOwn(operatorSettings, key)) return null;
  const { env } = operatorSettings[key as OperatorKey];
  const hint = `set ${env}, or ${key} in cms.config.yaml beside the content folder`;
  return say('operator-setting', `${key} is an operator setting: it has no effect in site.yaml`, hint);
}
