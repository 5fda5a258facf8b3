from django.urls import path

from annotator.accounts.views import account, join, people, person

accounts_urls = [
    path("people/", people.people, name="people"),
    path("people/invitations/", people.invite, name="invite"),
    path("people/invitations/<int:invitation_id>/revoke/", people.revoke_invitation, name="revoke_invitation"),
    path("people/<int:person_id>/", person.person, name="person"),
    path("people/<int:person_id>/roles/", person.change_roles, name="change_roles"),
    path("people/<int:person_id>/deactivate/", person.deactivate_person, name="deactivate_person"),
    path("people/<int:person_id>/reactivate/", person.reactivate_person, name="reactivate_person"),
    path("people/<int:person_id>/password-link/", person.make_password_link, name="make_password_link"),
    path("people/<int:person_id>/lift-lock-out/", person.lift_lock_out, name="lift_lock_out"),
    path("people/<int:person_id>/remove-second-factor/", person.remove_second_factor, name="remove_second_factor"),
    path("join/<str:token>/", join.join, name="join"),
    path("account/", account.account, name="account"),
    path("account/preferences/", account.save_preferences, name="save_preferences"),
    path("account/email/", account.own_addresses, name="own_addresses"),
    path("account/password/reset/", account.reset_password, name="reset_password"),
]
