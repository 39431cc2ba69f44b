/**
 * Word of the hosting service that somebody has pushed: the remote is looked at now, not when it is next due. Nothing else comes of it.
 *
 * Shape    whatever the service sends; nothing of it is read
 * Access   who knows the operator's secret: a signature of the body (GitHub, Gitea, Forgejo), or the secret itself (GitLab)
 * Errors   rest_no_route where there is no secret, rest_forbidden
 * Source   GitHub, "Validating webhook deliveries"; GitLab, "Webhooks", secret token. An extension, so the catalogue does not list it
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { answer, CREATE, type Namespace } from '../../kernel/rest/types.ts';
import type { RestRequest } from '../../kernel/rest/request.ts';

/**
 * @param secretNow  null where there is none
 * @param tell       all nodes
 */
export function toldRoutes(secretNow: () => string | null, tell: () => Promise<void>): Namespace['routes'] {
  return [
    {
      path: '/cms/v2/git-remote/pushed',
      isUnlisted: true,
      isServed: () => secretNow() !== null,
      endpoints: [
        {
          methods: CREATE,
          args: {},
          allow({ request }) {
            const secret = secretNow();
            return secret !== null && isSigned(request, secret) ? null : 'rest_forbidden';
          },
          async handle() {
            await tell();
            return answer(null, { status: 202 });
          },
        },
      ],
    },
  ];
}

function isSigned({ raw = new Uint8Array(), headers }: RestRequest, secret: string): boolean {
  const signature = headers['x-hub-signature-256'];
  if (signature !== undefined) return isEqual(signature, `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
  const token = headers['x-gitlab-token'];
  return token !== undefined && isEqual(token, secret);
}

/** Takes as long whatever is alike of the two, and however long they are. */
function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
