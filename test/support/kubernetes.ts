/**
 * Kinds of Kubernetes as `deploy/kubernetes.yaml` uses them, written down by hand from their reference: fields that are needed or used, and no
 * others. So a misspelt field is found; whether a cluster accepts the file is not.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';

const text = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0 };
const texts = { type: 'array', items: text, minItems: 1 };
const yes = { const: true };
const no = { const: false };

type Schemas = Readonly<Record<string, object>>;

const object = (required: Schemas, optional: Schemas = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items, minItems: 1 });
const quantities = object(
  { memory: { type: 'string', pattern: '^\\d+(?:Mi|Gi)$' } },
  { cpu: { type: 'string', pattern: '^\\d+m?$' } },
);
const labels = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^[A-Za-z0-9](?:[\\w.-]{0,61}[A-Za-z0-9])?$' },
  minProperties: 1,
};
const selector = object({ matchLabels: labels });
const metadata = object({ name: { type: 'string', pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' }, labels });
const probe = object(
  { httpGet: object({ path: { type: 'string', pattern: '^/' }, port: text }), periodSeconds: count, timeoutSeconds: count },
  { failureThreshold: count },
);
const container = object(
  {
    name: text,
    image: { type: 'string', pattern: ':[\\w.-]+$' },
    args: texts,
    env: list({
      oneOf: [
        object({ name: text, value: text }),
        object({ name: text, valueFrom: object({ secretKeyRef: object({ name: text, key: text }) }) }),
      ],
    }),
    securityContext: object({
      allowPrivilegeEscalation: no,
      readOnlyRootFilesystem: yes,
      capabilities: object({ drop: { const: ['ALL'] } }),
    }),
    resources: object({ requests: quantities, limits: quantities }),
    volumeMounts: list(object({ name: text, mountPath: { type: 'string', pattern: '^/' } })),
  },
  {
    ports: list(object({ name: { type: 'string', maxLength: 15 }, containerPort: count })),
    startupProbe: probe,
    readinessProbe: probe,
    livenessProbe: probe,
    lifecycle: object({ preStop: object({ exec: object({ command: texts }) }) }),
  },
);
const pod = (more: Schemas) =>
  object({
    metadata: object({ labels }),
    spec: object(
      {
        containers: list(container),
        volumes: list(object({ name: text, emptyDir: object({}) })),
        automountServiceAccountToken: no,
        enableServiceLinks: no,
        securityContext: object({
          runAsNonRoot: yes,
          runAsUser: count,
          runAsGroup: count,
          fsGroup: count,
          seccompProfile: object({ type: { const: 'RuntimeDefault' } }),
        }),
      },
      more,
    ),
  });
const kind = (apiVersion: string, name: string, spec: object) =>
  object({ apiVersion: { const: apiVersion }, kind: { const: name }, metadata, spec });

const schemas: Schemas = {
  Job: kind(
    'batch/v1',
    'Job',
    object({
      template: pod({ restartPolicy: { enum: ['OnFailure', 'Never'] } }),
      backoffLimit: count,
      activeDeadlineSeconds: count,
    }),
  ),
  Deployment: kind(
    'apps/v1',
    'Deployment',
    object({
      replicas: count,
      selector,
      strategy: object({ type: { const: 'RollingUpdate' }, rollingUpdate: object({ maxUnavailable: count, maxSurge: count }) }),
      template: pod({
        terminationGracePeriodSeconds: count,
        topologySpreadConstraints: list(
          object({
            maxSkew: count,
            topologyKey: text,
            whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
            labelSelector: selector,
          }),
        ),
      }),
    }),
  ),
  PodDisruptionBudget: kind('policy/v1', 'PodDisruptionBudget', object({ maxUnavailable: count, selector })),
  Service: kind(
    'v1',
    'Service',
    object({
      selector: labels,
      sessionAffinity: { enum: ['ClientIP', 'None'] },
      ports: list(object({ name: text, port: count, targetPort: text })),
    }),
  ),
};

/** What is wrong with a document of a manifest. */
export function faultsOf(document: { readonly kind?: unknown }): readonly string[] {
  const schema = schemas[String(document.kind)];
  if (schema === undefined) return [`unknown kind ${document.kind}`];
  const validate = new Ajv2020({ allErrors: true, strict: true }).compile(schema);
  validate(document);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
