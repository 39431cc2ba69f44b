/** The standard roles, in order. Their capabilities belong to a module. */
export const roleNames = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

export type RoleName = (typeof roleNames)[number];
