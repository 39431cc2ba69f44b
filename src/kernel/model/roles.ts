/** The roles of every site, from the mightiest down. What they may do is a module's to say. */
export const roleNames = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;

export type RoleName = (typeof roleNames)[number];
