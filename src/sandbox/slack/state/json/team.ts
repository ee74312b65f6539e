import type { Json, Team } from '../model.ts';
import type { World } from '../world.ts';

export function teamJson(world: World, team: Team): Json {
  return {
    id: team.id,
    name: team.name,
    url: `${world.origin}/`,
    domain: team.domain,
    email_domain: '',
    icon: {
      image_default: true,
      ...Object.fromEntries(
        [34, 44, 68, 88, 102, 132, 230].map((size) => [`image_${size}`, `${world.origin}/icons/${size}`]),
      ),
    },
    avatar_base_url: `${world.origin}/icons/`,
    is_verified: false,
    discoverable: 'closed',
  };
}
